import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The sources in a folder and below, or the one file. */
export function listFiles(place: string): readonly string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(place, name));
}

/** What the simulator runs in worlds with disks and networks; the rest is the engine or programs. */
export function isAroundEngine(place: string): boolean {
  const folders = ['src/journal', 'src/sequencer', 'src/cluster'];
  return folders.some((each) => place.startsWith(each));
}
