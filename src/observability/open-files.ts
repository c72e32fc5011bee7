import { readFileSync } from 'node:fs';

/**
 * The number of files and connections that this process can have open; null if the system does
 * not tell, or sets no limit.
 */
export function readOpenFilesMax(read: () => string = readLimits): number | null {
  let text: string;
  try {
    text = read();
  } catch {
    return null; // Only Linux has this file.
  }
  const [, soft] = /^Max open files\s+(\d+)/m.exec(text) ?? [];
  return soft === undefined ? null : Number(soft);
}

function readLimits(): string {
  return readFileSync('/proc/self/limits', 'utf8');
}
