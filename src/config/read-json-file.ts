import { readFileSync } from 'node:fs';

/**
 * Returns the JSON value in a file.
 * @throws Error that names the file and quotes nothing of it: it may hold a secret, or be a key
 *   that was named by mistake, and the parser's own message has a part of the text in it
 */
export function readJsonFile(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON`);
  }
}
