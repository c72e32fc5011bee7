import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { findFork } from '../cluster/fork.ts';
import { decodeEntry, type PlacedEntry } from '../cluster/log-entry.ts';
import { OwnChain } from '../cluster/own-chain.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { type JournalRecord, readJournal } from '../journal/verify-journal.ts';
import { systemTime } from '../system/system-time.ts';
import { type OperatorConnection, withExchange } from './operate.ts';

// Compares the journal of a stopped process with the shared log and prints where they part. Nothing
// is changed on either side.

const shownMax = 20;

/** @throws Error if a process uses the folder, or it has no journal */
export function compareFolder(dataDir: string): Promise<void> {
  return withExchange(async (own) => {
    const folder = join(dataDir, 'journal');
    const lock = await nodeDisk.lock(folder);
    try {
      await compare(own, folder);
    } finally {
      await lock.release();
    }
  });
}

async function compare(own: OperatorConnection, folder: string): Promise<void> {
  const { journalId } = own;
  const read = { disk: nodeDisk, folder, time: systemTime };
  const last = ((await readJournal(read, () => undefined)).lastSequence ?? 0) as Sequence;
  const notes = { checkpoint: null, beginning: null, saveCheckpoint: async () => undefined };
  const chain = await OwnChain.open({ ...read, journalId, member: notes }, last);
  const log = await logOf(own);
  const { sequence, entry } = await findFork(log, chain);
  const end = await log.load(await log.loadEnd());
  console.log(`journal  ends with command ${last}`);
  console.log(`log      ends with command ${end?.lastSequence ?? 0}, epoch ${end?.epoch ?? 0}`);
  console.log(`both     hold command ${sequence}`);
  const isAhead = last > sequence;
  const isBehind = (end?.lastSequence ?? 0) > sequence;
  if (!isAhead) return console.log('the journal belongs to the log and may be used');
  if (isBehind) console.log(`they part there: entry ${entry?.position ?? 0} of the log differs`);
  console.log(`only in the journal: commands ${sequence + 1} to ${last}`);
  await readJournal(read, (record) => show(record, sequence));
}

function show({ sequence, timestamp, command }: JournalRecord, after: number): void {
  if (sequence <= after || sequence > after + shownMax) return;
  const text = JSON.stringify(command, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  console.log(`  ${sequence}  ${new Date(timestamp).toISOString()}  ${text}`);
}

async function logOf({ connection, names }: OperatorConnection) {
  const { streams } = await jetstreamManager(connection);
  const { state } = await streams.info(names.stream);
  return {
    loadBeginning: async () => Math.max(1, state.first_seq),
    loadEnd: async () => state.last_seq,
    load: async (position: number): Promise<PlacedEntry | null> => {
      if (position < 1) return null;
      const message = await streams.getMessage(names.stream, { seq: position });
      if (message === null) return null;
      return decodeEntry({ seq: position, headers: message.header, data: message.data });
    },
  };
}
