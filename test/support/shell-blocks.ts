import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../architecture/source-files.ts';

/** The shell blocks of a document that stand below a comment `run: <name>`, by that name. */
export function readShellBlocks(document: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  const blocks = new Map<string, string>();
  for (const match of text.matchAll(/<!-- run: ([\w-]+) -->\n\n```sh\n([\s\S]*?)```/g)) {
    blocks.set(match[1] ?? '', match[2] ?? '');
  }
  return blocks;
}
