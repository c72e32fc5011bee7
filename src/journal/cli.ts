import { Command } from 'commander';
import { exchangeEngines } from '../engine/engine.ts';
import { systemTime } from '../system/system-time.ts';
import { JournalDamageError } from './journal-damage.ts';
import { nodeDisk } from './node-disk.ts';
import { SnapshotError } from './snapshot.ts';
import { type JournalSummary, readJournal, verifyJournal } from './verify-journal.ts';

// npm run journal -- print|verify <folder>: what a journal holds, and whether it is sound.

const program = new Command('journal').description('Inspects a journal that no process uses.');

program
  .command('print <folder>')
  .description('each record as one line of JSON; money in units of 10^-8, prices in ticks')
  .action((folder: string) => examine(folder, print));

program
  .command('verify <folder>')
  .description('check every record and snapshot; exit code 1 names file and offset of damage')
  .action((folder: string) => examine(folder, verify));

// Exits quietly when a reader such as `head` closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

await program.parseAsync();

async function examine(folder: string, run: (folder: string) => Promise<void>): Promise<void> {
  try {
    const lock = await nodeDisk.lock(folder);
    await run(folder).finally(() => lock.release());
  } catch (error) {
    const isFinding = error instanceof JournalDamageError || error instanceof SnapshotError;
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(isFinding ? `${text}\n` : `journal: ${text}\n`);
    process.exitCode = 1;
  }
}

async function print(folder: string): Promise<void> {
  const summary = await readJournal({ disk: nodeDisk, folder, time: systemTime }, (record) => {
    process.stdout.write(`${JSON.stringify(record, bigintAsText)}\n`);
  });
  reportTornTail(summary);
}

async function verify(folder: string): Promise<void> {
  const verified = await verifyJournal({
    disk: nodeDisk,
    folder,
    machines: exchangeEngines,
    time: systemTime,
  });
  const { segments, firstSequence, lastSequence, snapshots, snapshotsReplayed } = verified;
  const records = firstSequence === null ? 'none' : `${firstSequence} to ${lastSequence}`;
  console.log(`records    ${records}, in ${segments} segments`);
  console.log(`snapshots  ${snapshots}, ${snapshotsReplayed} of them reached again by replay`);
  if (verified.stateHash !== null) console.log(`state      ${verified.stateHash}`);
  reportTornTail(verified);
  console.log('sound');
}

function reportTornTail({ tornTail }: JournalSummary): void {
  if (tornTail === null) return;
  const { path, offset, end } = tornTail;
  process.stderr.write(
    `${path} ends at offset ${offset} with ${end - offset} bytes of an unfinished write; ` +
      'the next start truncates them: they were never acknowledged\n',
  );
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
