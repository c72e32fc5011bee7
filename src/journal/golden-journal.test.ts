import { readFileSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ageJournal } from '../../test/support/age-journal.ts';
import { overdraw } from '../../test/support/post-bad-debt.ts';
import { temporaryFolder } from '../../test/support/sequencer-fixture.ts';
import type { Command } from '../engine/commands.ts';
import { Engine, engineFactory } from '../engine/engine.ts';
import type { Stamp } from '../engine/state-machine.ts';
import { systemTime } from '../system/system-time.ts';
import { nodeDisk } from './node-disk.ts';
import { rulesVersion } from './rules-version.ts';
import { verifyJournal } from './verify-journal.ts';

const golden = new URL('../../test/golden/', import.meta.url);

// Should this fail, the engine gives another state for commands that were acknowledged long ago:
// either that is a fault, or rulesVersion has to rise and the journal to be made anew.
test('golden journal: replaying a stored journal gives the state that it gave when it was made', async () => {
  const expected: unknown = JSON.parse(
    readFileSync(fileURLToPath(new URL('expected.json', golden)), 'utf8'),
  );
  const folder = fileURLToPath(new URL('journal', golden));
  const verified = await verifyJournal({
    disk: nodeDisk,
    folder,
    machines: engineFactory,
    time: systemTime,
  });
  expect({
    rulesVersion,
    records: verified.lastSequence,
    stateHash: verified.stateHash,
  }).toEqual(expected);
  expect(verified).toMatchObject({ firstSequence: 1, snapshots: 2, snapshotsReplayed: 2 });
  expect(verified.tornTail).toBeNull();
});

test('golden journal: what other rules applied is checked and not replayed', async () => {
  const folder = temporaryFolder();
  await cp(fileURLToPath(new URL('journal', golden)), folder, { recursive: true });
  await ageJournal(folder, -1);
  const verified = await verifyJournal({
    disk: nodeDisk,
    folder,
    machines: engineFactory,
    time: systemTime,
  });
  expect(verified).toMatchObject({ snapshots: 2, snapshotsReplayed: 0, stateHash: null });
});

/** A program whose rules leave a wallet below zero that has no position. */
class Overdrawing extends Engine {
  override replay(command: Command, stamp: Stamp): void {
    super.replay(command, stamp);
    if (stamp.sequence === 300) overdraw(this, 1, 1n);
  }
}

test('verify: a sound journal whose replay leads to a state that breaks a rule is refused', async () => {
  const folder = temporaryFolder();
  await cp(fileURLToPath(new URL('journal', golden)), folder, { recursive: true });
  const machines = { ...engineFactory, create: () => new Overdrawing() };
  await expect(
    verifyJournal({ disk: nodeDisk, folder, machines, time: systemTime }),
  ).rejects.toThrow('replaying the journal gives another state');
  // Without snapshots nothing is compared, and the audit alone finds it.
  for (const name of await readdir(folder)) {
    if (name.endsWith('.snapshot')) await rm(join(folder, name));
  }
  await expect(
    verifyJournal({ disk: nodeDisk, folder, machines, time: systemTime }),
  ).rejects.toThrow('the audit finds');
});
