import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../architecture/source-files.ts';

export interface DocumentBlock {
  /** sh, ts, json and the like; empty if the document names none. */
  readonly language: string;
  readonly text: string;
  /** The name in a comment `run: <name>` above it. */
  readonly name: string | null;
}

/** The fenced blocks of a document, in order. */
export function readBlocks(document: string): readonly DocumentBlock[] {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  const pattern = /(?:<!-- run: ([\w-]+) -->\n\n)?^```(\w*)\n([\s\S]*?)^```/gm;
  return [...text.matchAll(pattern)].map(([, name, language = '', block = '']) => ({
    language,
    text: block,
    name: name ?? null,
  }));
}

/** The blocks of a document that have a name, by it. */
export function readNamedBlocks(document: string): ReadonlyMap<string, string> {
  return new Map(
    readBlocks(document).flatMap(({ name, text }) => (name === null ? [] : [[name, text]])),
  );
}
