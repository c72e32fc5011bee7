import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';

// Everything that was ever signed, one line each, every line chained by hash to the one before. A
// line is on the disk before its signature leaves the process, so the log contains every signature.
// The first line records that the log was created: a missing or empty file is never replaced
// automatically, since used caps and approvals would be forgotten with it.

/** What one line records of a signature, besides its place in the chain. */
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

interface CreatedEntry {
  readonly kind: 'created';
  readonly at: number;
}

interface LogLine {
  readonly seq: number;
  readonly prev: string;
  readonly entry: SignedEntry | CreatedEntry;
  readonly hash: string;
}

export interface SignerLog {
  /** Hash of the last line. */
  readonly head: string;
  readonly length: number;
  readonly entries: readonly SignedEntry[];
  /** The head after that many signatures; null if there are fewer. */
  headAt(signatures: number): string | null;
  /**
   * Returns once the line is on the disk.
   * @throws Error if the line cannot be written, or the file is not as this process left it
   */
  append(entry: SignedEntry): void;
  close(): void;
}

const genesis = '0'.repeat(64);

function hashOf(seq: number, prev: string, entry: LogLine['entry']): string {
  return createHash('sha256')
    .update(JSON.stringify([seq, prev, entry]))
    .digest('hex');
}

/**
 * Creates a log without signatures.
 * @param at - Unix seconds
 * @throws Error if there already is one
 */
export function createSignerLog(path: string, at: number): void {
  const entry = { kind: 'created', at } as const;
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, lineOf(0, genesis, entry).text);
  fsyncSync(file);
  closeSync(file);
}

function lineOf(seq: number, prev: string, entry: LogLine['entry']) {
  const hash = hashOf(seq, prev, entry);
  return { hash, text: `${JSON.stringify({ seq, prev, entry, hash } satisfies LogLine)}\n` };
}

interface VerifiedLog {
  readonly head: string;
  readonly entries: readonly SignedEntry[];
  /** The hash of each line, the first one's included. */
  readonly heads: readonly string[];
}

/**
 * Returns every line of the log, checked.
 * @throws Error that names the first line that does not follow from those before it, or reports
 * that
 *   there is no log
 */
export function verifySignerLog(path: string): VerifiedLog {
  const text = readIfPresent(path);
  if (text === '') throw new Error(`${path}: there is no log; nothing is signed without one`);
  if (!text.endsWith('\n')) throw new Error(`${path}: the last line is cut off`);
  const entries: SignedEntry[] = [];
  const heads: string[] = [];
  let head = genesis;
  for (const [seq, line] of text.split('\n').slice(0, -1).entries()) {
    const parsed = parsedLine(line);
    const isNext = parsed?.seq === seq && parsed.prev === head;
    if (!isNext || parsed.hash !== hashOf(seq, head, parsed.entry)) {
      throw new Error(`${path}: line ${seq + 1} does not follow from those before it`);
    }
    const { entry } = parsed;
    if ((entry.kind === 'created') !== (seq === 0)) {
      throw new Error(`${path}: line ${seq + 1} does not follow from those before it`);
    }
    head = parsed.hash;
    heads.push(head);
    if (entry.kind !== 'created') entries.push(entry);
  }
  return { head, entries, heads };
}

/** @throws Error if the log is broken or missing: then nothing may be signed */
export function openSignerLog(path: string): SignerLog {
  const verified = verifySignerLog(path);
  const entries = [...verified.entries];
  const heads = [...verified.heads];
  let head = verified.head;
  const file = openSync(path, 'a', 0o600);
  const { ino, size } = fstatSync(file);
  let bytes = size;
  return {
    get head() {
      return head;
    },
    get length() {
      return entries.length;
    },
    entries,
    headAt: (signatures) => heads[signatures] ?? null,
    append: (entry) => {
      // The first line is not a signature.
      const { hash, text } = lineOf(entries.length + 1, head, entry);
      requireUntouched(path, ino, bytes);
      if (writeSync(file, text) !== Buffer.byteLength(text)) {
        throw new Error(`${path}: a line could not be written whole`);
      }
      fsyncSync(file);
      bytes += Buffer.byteLength(text);
      entries.push(entry);
      heads.push(hash);
      head = hash;
    },
    close: () => closeSync(file),
  };
}

// A file that was removed, replaced or cut, that another process appends to, or that ends in part
// of a line would not be verified at the next start, so nothing more is signed with it.
function requireUntouched(path: string, ino: number, bytes: number): void {
  const found = statSync(path);
  if (found.ino === ino && found.size === bytes) return;
  throw new Error(`${path}: the log is not as this process left it`);
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
