import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

// All that was ever signed, one line each, every line chained to the one before by its hash. A line
// is on the disk before its signature leaves the process, so the log knows of every signature.

/** What one line says of a signature, beside its place in the chain. */
export type SignedEntry =
  | {
      readonly kind: 'reward';
      readonly at: number;
      readonly account: string;
      readonly digest: string;
    }
  | {
      readonly kind: 'release';
      readonly at: number;
      readonly account: string;
      readonly token: string;
      readonly value: string;
      readonly nonce: string;
      readonly deadline: number;
      readonly approvalId: string | null;
      readonly digest: string;
    }
  | {
      readonly kind: 'transaction';
      readonly at: number;
      readonly sender: string;
      readonly nonce: number;
      readonly digest: string;
    };

interface LogLine {
  readonly seq: number;
  readonly prev: string;
  readonly entry: SignedEntry;
  readonly hash: string;
}

export interface SignerLog {
  /** Hash of the last line; zeros where there is none. */
  readonly head: string;
  readonly length: number;
  readonly entries: readonly SignedEntry[];
  /** Returns once the line is on the disk. */
  append(entry: SignedEntry): void;
  close(): void;
}

const genesis = '0'.repeat(64);

function hashOf(seq: number, prev: string, entry: SignedEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([seq, prev, entry]))
    .digest('hex');
}

/**
 * Every line of the log, checked.
 * @throws Error that names the first line that does not follow from those before it
 */
export function verifySignerLog(path: string): { head: string; entries: readonly SignedEntry[] } {
  const text = readIfPresent(path);
  if (text !== '' && !text.endsWith('\n')) throw new Error(`${path}: the last line is cut off`);
  const entries: SignedEntry[] = [];
  let head = genesis;
  for (const [seq, line] of text.split('\n').slice(0, -1).entries()) {
    const parsed = parsedLine(line);
    const isNext = parsed?.seq === seq && parsed.prev === head;
    if (!isNext || parsed.hash !== hashOf(seq, head, parsed.entry)) {
      throw new Error(`${path}: line ${seq + 1} does not follow from those before it`);
    }
    head = parsed.hash;
    entries.push(parsed.entry);
  }
  return { head, entries };
}

/** @throws Error where the log is broken: then nothing may be signed */
export function openSignerLog(path: string): SignerLog {
  const verified = verifySignerLog(path);
  const entries = [...verified.entries];
  let head = verified.head;
  const file = openSync(path, 'a', 0o600);
  return {
    get head() {
      return head;
    },
    get length() {
      return entries.length;
    },
    entries,
    append: (entry) => {
      const seq = entries.length;
      const hash = hashOf(seq, head, entry);
      writeSync(file, `${JSON.stringify({ seq, prev: head, entry, hash } satisfies LogLine)}\n`);
      fsyncSync(file);
      entries.push(entry);
      head = hash;
    },
    close: () => closeSync(file),
  };
}

function parsedLine(line: string): LogLine | null {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return null;
  }
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
