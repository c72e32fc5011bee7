import { readFileSync, statSync } from 'node:fs';

const othersMode = 0o077;

/**
 * The text of a file that only the signer's user may read, without the line ending.
 * @throws Error that does not reveal the text
 */
export function readSecret(path: string): string {
  if ((statSync(path).mode & othersMode) !== 0) {
    throw new Error(`${path} is open to other users: chmod 600`);
  }
  return readFileSync(path, 'utf8').trim();
}
