import { readdirSync, readFileSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { digestsOf } from '../../test/golden/golden-state.ts';
import { ageJournal } from '../../test/support/age-journal.ts';
import { moveSilently } from '../../test/support/move-silently.ts';
import { overdraw } from '../../test/support/post-bad-debt.ts';
import { temporaryFolder } from '../../test/support/sequencer-fixture.ts';
import type { Command } from '../engine/commands.ts';
import { Engine, engineFactory } from '../engine/engine.ts';
import type { AppliedCommand } from '../engine/events.ts';
import { rulesVersion, rulesVersionMin } from '../engine/rules.ts';
import type { Stamp } from '../engine/state-machine.ts';
import { systemTime } from '../system/system-time.ts';
import { nodeDisk } from './node-disk.ts';
import { readJournal, type VerifyOptions, verifyJournal } from './verify-journal.ts';

interface Expected {
  readonly records: number;
  readonly digests: readonly string[];
  readonly stateHash: string;
}

const versions = Array.from(
  { length: rulesVersion - rulesVersionMin + 1 },
  (_, at) => rulesVersionMin + at,
);
const golden = fileURLToPath(new URL('../../test/golden/rules/', import.meta.url));

function optionsFor(folder: string): VerifyOptions {
  return { disk: nodeDisk, folder, machines: engineFactory, time: systemTime };
}

/** One of all commands, and one of liquidations, deleveraging and delistings. */
type Name = 'trading' | 'danger';

function journalOf(version: number, name: Name = 'trading'): string {
  return join(golden, `v${version}`, name);
}

async function copyOf(version: number): Promise<string> {
  const folder = temporaryFolder();
  await cp(journalOf(version), folder, { recursive: true });
  return folder;
}

test('golden journals: there is one for each version of the rules that this program has', () => {
  expect(readdirSync(golden)).toEqual(versions.map((version) => `v${version}`));
});

// Should this fail, the engine gives other outcomes for commands that were acknowledged long ago:
// either that is a fault, or the changed rule belongs in a table by version (src/engine/rules.ts).
describe.each(
  versions.flatMap((version) => [[version, 'trading'] as const, [version, 'danger'] as const]),
)('golden journal of the rules %i, %s', (version, name) => {
  const text = readFileSync(`${journalOf(version, name)}.json`, 'utf8');
  const expected = JSON.parse(text) as Expected;

  it('replaying it gives the recorded events', async () => {
    const engine = engineFactory.create(version);
    const outcomes: AppliedCommand[] = [];
    await readJournal(optionsFor(journalOf(version, name)), ({ command, sequence, timestamp }) => {
      outcomes.push(engine.apply(command, { sequence, timestamp }));
    });
    expect(outcomes.length).toBe(expected.records);
    expect(digestsOf(outcomes)).toEqual(expected.digests);
    expect(engine.rules).toBe(version);
  });

  it('verify reaches both snapshots again and the same state', async () => {
    const verified = await verifyJournal(optionsFor(journalOf(version, name)));
    expect(verified).toMatchObject({
      firstSequence: 1,
      lastSequence: expected.records,
      snapshots: 2,
      snapshotsReplayed: 2,
      tornTail: null,
    });
    // An older program's hash is that of its own encoding.
    if (version === rulesVersion) expect(verified.stateHash).toBe(expected.stateHash);
  });
});

test.each([
  ['older', rulesVersionMin, -1],
  ['newer', rulesVersion, 1],
])('golden journal: records of %s rules are checked and not replayed', async (_, version, age) => {
  const folder = await copyOf(version);
  await ageJournal(folder, age);
  const verified = await verifyJournal(optionsFor(folder));
  expect(verified).toMatchObject({ snapshots: 2, snapshotsReplayed: 0, stateHash: null });
});

/** A program whose rules pay the insurance fund from the wallet of an account that does not exist. */
class Overdrawing extends Engine {
  override replay(command: Command, stamp: Stamp): void {
    super.replay(command, stamp);
    if (stamp.sequence === 1_450) overdraw(this, this.accountCount + 1, 1n);
  }
}

test('verify: a sound journal whose replay leads to a state that breaks a rule is refused', async () => {
  const folder = await copyOf(rulesVersion);
  const machines = { ...engineFactory, create: () => new Overdrawing() };
  const verifyWith = () => verifyJournal({ ...optionsFor(folder), machines });
  await expect(verifyWith()).rejects.toThrow('replaying the journal gives a different state');
  // Without snapshots nothing is compared, and the audit alone finds it.
  for (const name of await readdir(folder)) {
    if (name.endsWith('.snapshot')) await rm(join(folder, name));
  }
  await expect(verifyWith()).rejects.toThrow('the audit found');
});

/** A program that moves money from one account to another without a posting. */
class Moving extends Engine {
  override replay(command: Command, stamp: Stamp): void {
    super.replay(command, stamp);
    if (stamp.sequence === 1_450) moveSilently(this);
  }
}

test('verify: money that a replay moves without a posting is found by its postings alone', async () => {
  const folder = await copyOf(rulesVersion);
  for (const name of await readdir(folder)) {
    if (name.endsWith('.snapshot')) await rm(join(folder, name));
  }
  const machines = { ...engineFactory, create: () => new Moving() };
  await expect(verifyJournal({ ...optionsFor(folder), machines })).rejects.toThrow(
    /the audit found ledger-recomputed: cell 0:\d+:0:0 holds \d+, its postings make \d+$/,
  );
});
