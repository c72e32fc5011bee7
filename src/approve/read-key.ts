import { readFileSync } from 'node:fs';

/** @throws Error that does not reveal the file's content */
export function readKey(keyFile: string): `0x${string}` {
  const digits = readFileSync(keyFile, 'utf8').trim().replace(/^0x/, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new Error(`${keyFile} does not contain a key`);
  return `0x${digits}`;
}
