import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from './read-json-file.ts';

/** Secrets that only development generates; stored in DATA_DIR/secrets.json, mode 0600. */
export interface GeneratedSecrets {
  readonly jwtSecret: string;
  readonly secretsKey: string;
  readonly signerPrivateKey: string;
}

/** The secrets of an earlier start, or new ones, which are saved before they are used. */
export function loadGeneratedSecrets(dataDir: string): GeneratedSecrets {
  const path = join(dataDir, 'secrets.json');
  const saved = readSaved(path);
  if (saved !== null) return saved;
  const secrets: GeneratedSecrets = {
    jwtSecret: randomBytes(32).toString('hex'),
    secretsKey: randomBytes(32).toString('hex'),
    signerPrivateKey: randomBytes(32).toString('hex'),
  };
  mkdirSync(dataDir, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  const file = openSync(temporary, 'w', 0o600);
  writeSync(file, `${JSON.stringify(secrets, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
  return secrets;
}

function readSaved(path: string): GeneratedSecrets | null {
  let saved: Partial<GeneratedSecrets>;
  try {
    saved = readJsonFile(path) as Partial<GeneratedSecrets>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const { jwtSecret, secretsKey, signerPrivateKey } = saved;
  if (!jwtSecret || !secretsKey || !signerPrivateKey) {
    throw new Error(`${path} is incomplete; remove it to generate new secrets`);
  }
  return { jwtSecret, secretsKey, signerPrivateKey };
}
