import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The library of SoftHSM, which behaves like hardware behind PKCS#11. */
export const softHsmModule = '/usr/lib/softhsm/libsofthsm2.so';

/** What a test with SoftHSM lacks on this machine; null if it can run. */
export function missingForSoftHsm(): string | null {
  const hasProgram = spawnSync('softhsm2-util', ['--version']).status === 0;
  if (!hasProgram || !existsSync(softHsmModule)) return 'Debian package softhsm2';
  try {
    createRequire(import.meta.url).resolve('pkcs11js');
    return null;
  } catch {
    return 'npm install --no-save pkcs11js@2.1.7';
  }
}

export interface SoftHsm {
  /** A folder of its own, which goes with it. */
  readonly folder: string;
  /** The value of SOFTHSM2_CONF with which a process finds the token. */
  readonly configPath: string;
  remove(): void;
}

/** Sets up a token of this label and PIN without keys. */
export function createSoftHsm(token: string, pin: string): SoftHsm {
  const folder = mkdtempSync(join(tmpdir(), 'openbourse-hsm-'));
  mkdirSync(join(folder, 'tokens'));
  const configPath = join(folder, 'softhsm2.conf');
  writeFileSync(configPath, `directories.tokendir = ${join(folder, 'tokens')}\n`);
  const words = ['--init-token', '--free', '--label', token, '--pin', pin, '--so-pin', '5678'];
  const env = { ...process.env, SOFTHSM2_CONF: configPath };
  execFileSync('softhsm2-util', words, { env });
  return { folder, configPath, remove: () => rmSync(folder, { recursive: true }) };
}
