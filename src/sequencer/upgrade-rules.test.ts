import { readFileSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { GoldenFlow } from '../../test/golden/golden-flow.ts';
import { digestsOf } from '../../test/golden/golden-state.ts';
import { previousVersion } from '../../test/support/previous-version.ts';
import { liveHash } from '../../test/support/recorded-flow.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import {
  createSequencer,
  makeSequencer,
  temporaryFolder,
} from '../../test/support/sequencer-fixture.ts';
import type { AppliedCommand } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import { engineFactory } from '../engine/engine.ts';
import { rulesVersion, rulesVersionMin } from '../engine/rules.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { RulesVersionError } from '../journal/rules-version.ts';
import { readSegmentHeader, segmentPath } from '../journal/segment.ts';
import { verifyJournal } from '../journal/verify-journal.ts';
import { systemTime } from '../system/system-time.ts';
import { ThreadSignal } from './durable-signal.ts';
import { defaultFollowerLimits, JournalFollower } from './journal-follower.ts';
import type { Sequencer } from './sequencer.ts';

const golden = fileURLToPath(
  new URL(`../../test/golden/rules/v${rulesVersionMin}/`, import.meta.url),
);
const expected = JSON.parse(readFileSync(join(golden, 'trading.json'), 'utf8')) as {
  readonly records: number;
  readonly digests: readonly string[];
};
const { records } = expected;
const upgrade = { type: 'upgradeRules', rules: rulesVersion };
const upgraded = { type: 'rulesUpgraded', from: rulesVersionMin, to: rulesVersion };

/** A folder that the previous version has written and closed properly. */
async function folderOfPreviousVersion(): Promise<string> {
  const folder = temporaryFolder();
  await cp(join(golden, 'trading'), folder, { recursive: true });
  return folder;
}

/** Commands that can follow those of the golden journals. */
function furtherCommands(count: number): Command[] {
  const flow = new GoldenFlow(10_000);
  const outcomes = [...flow.begin(), ...flow.run(2 * records)];
  return (
    outcomes
      .slice(records)
      .map(({ command }) => command)
      // No caller can send half of a leverage.
      .filter(({ type }) => type !== 'setLeverage')
      .slice(0, count)
  );
}

async function send(sequencer: Sequencer, commands: readonly Command[]): Promise<AppliedCommand[]> {
  const outcomes: AppliedCommand[] = [];
  for (let at = 0; at < commands.length; at += 20) {
    const burst = commands.slice(at, at + 20).map((command) => sequencer.submit(command));
    outcomes.push(...(await Promise.all(burst)));
  }
  return outcomes;
}

async function rulesOfSegments(folder: string): Promise<number[]> {
  const versions: number[] = [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.segment')).sort();
  for (const name of names) {
    const file = await nodeDisk.openForReading(segmentPath(folder, Number.parseInt(name, 10)));
    versions.push((await readSegmentHeader(file)).rulesVersion);
    await file.close();
  }
  return versions;
}

function verify(folder: string) {
  return verifyJournal({ disk: nodeDisk, folder, machines: engineFactory, time: systemTime });
}

test('upgrade: the first command of a new program raises the rules, once', async () => {
  const folder = await folderOfPreviousVersion();
  const first = makeSequencer(folder);
  const heard: AppliedCommand[] = [];
  first.sequencer.subscribe((batch) => heard.push(...batch));
  await first.sequencer.start();
  expect(heard).toMatchObject([{ sequence: records + 1, command: upgrade, events: [upgraded] }]);
  expect(first.sequencer.rules).toBe(rulesVersion);
  await first.sequencer.stop();
  const again = createSequencer(folder);
  await again.sequencer.start();
  expect(again.sequencer.durableSequence).toBe(records + 1);
});

test('upgrade: verify reproduces the snapshots of both programs', async () => {
  const folder = await folderOfPreviousVersion();
  const { sequencer } = makeSequencer(folder);
  await sequencer.start();
  await send(sequencer, furtherCommands(100));
  const hash = liveHash(sequencer);
  await sequencer.stop();
  expect(await verify(folder)).toMatchObject({
    lastSequence: records + 101,
    snapshots: 2,
    snapshotsReplayed: 2,
    stateHash: hash,
  });
});

test('upgrade: a kill before the first snapshot of the new rules loses nothing', async () => {
  const folder = await folderOfPreviousVersion();
  const { sequencer } = makeSequencer(folder);
  await sequencer.start();
  await send(sequencer, furtherCommands(60));
  const hash = liveHash(sequencer);
  const killed = temporaryFolder();
  await cp(folder, killed, { recursive: true });
  await sequencer.stop();
  const { sequencer: next } = createSequencer(killed);
  await next.start();
  expect(next.durableSequence).toBe(records + 61);
  expect(liveHash(next)).toBe(hash);
});

// Scenario 30.
test("upgrade of rules with the projector 1,000 commands behind: both rules are replayed with the engine's outcomes", async () => {
  const folder = await folderOfPreviousVersion();
  const durable = new ThreadSignal();
  const { sequencer } = createSequencer(folder, { follower: durable });
  const heard: AppliedCommand[] = [];
  sequencer.subscribe((batch) => heard.push(...batch));
  await sequencer.start();
  await send(sequencer, furtherCommands(200));
  const follower = new JournalFollower({
    directory: folder,
    machines: engineFactory,
    logger: pino({ level: 'silent' }),
    durable: new ThreadSignal(durable.memory),
    limits: { ...defaultFollowerLimits, outcomesKeptMax: 300 },
  });
  onTestFinished(() => follower.stop());
  void follower.run();
  const held = records - 1_000;
  const outcomes: AppliedCommand[] = [];
  const { signal } = new AbortController();
  for (let position = held; position < records + 201; position = held + outcomes.length) {
    outcomes.push(...(await follower.outcomeLog.read(position as Sequence, 100, signal)));
    follower.outcomeLog.release((held + outcomes.length) as Sequence);
  }
  expect(digestsOf(outcomes.slice(0, 1_000))).toEqual(expected.digests.slice(held / 100));
  expect(heard[0]).toMatchObject({ command: upgrade });
  // What the journal holds names optional fields that the callers left out.
  expect(outcomes.slice(1_000)).toMatchObject(heard);
});

test('RULES=hold: the rules stay, no snapshot is removed, and the previous program can be started again', async () => {
  const folder = await folderOfPreviousVersion();
  const further = furtherCommands(300);
  const held = makeSequencer(folder, { areRulesHeld: true, limits: { snapshotEvery: 50 } });
  await held.sequencer.start();
  expect(held.sequencer.rules).toBe(rulesVersionMin);
  expect(held.log).toContainEqual(
    expect.objectContaining({ rules: rulesVersionMin, newest: rulesVersion }),
  );
  await send(held.sequencer, further.slice(0, 200));
  const hash = liveHash(held.sequencer);
  await held.sequencer.stop();
  expect(new Set(await rulesOfSegments(folder))).toEqual(new Set([rulesVersionMin]));

  const previous = makeSequencer(folder, { machines: previousVersion });
  await previous.sequencer.start();
  expect(previous.sequencer.durableSequence).toBe(records + 200);
  expect(liveHash(previous.sequencer)).toBe(hash);
  await send(previous.sequencer, further.slice(200, 250));
  await previous.sequencer.stop();

  const { sequencer } = makeSequencer(folder);
  await sequencer.start();
  expect(sequencer.rules).toBe(rulesVersion);
  await send(sequencer, further.slice(250));
  await sequencer.stop();
  expect((await verify(folder)).lastSequence).toBe(records + 301);
});

test('RULES=hold: an empty journal begins with the older rules, any other with the newest', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  const held = makeSequencer(folder, { areRulesHeld: true });
  await held.sequencer.start();
  expect(held.sequencer.rules).toBe(rulesVersionMin);
  const hash = liveHash(held.sequencer);
  await held.sequencer.submit({ type: 'openAccount', address: addressOf(1) });
  await held.sequencer.stop();
  const newest = createSequencer(other);
  await newest.sequencer.start();
  expect(newest.sequencer.rules).toBe(rulesVersion);
  expect(newest.sequencer.durableSequence).toBe(0);
  expect(liveHash(newest.sequencer)).not.toBe(hash);
  expect(await verify(folder)).toMatchObject({ snapshotsReplayed: 1 });
});

test('upgrade: afterwards the previous program says which rules it lacks', async () => {
  const folder = await folderOfPreviousVersion();
  const { sequencer } = makeSequencer(folder);
  await sequencer.start();
  await sequencer.stop();
  const previous = makeSequencer(folder, { machines: previousVersion });
  const [started] = await Promise.allSettled([previous.sequencer.start()]);
  const reason: unknown = started.status === 'rejected' ? started.reason : null;
  expect(reason).toBeInstanceOf(RulesVersionError);
  expect(String(reason)).toContain(
    `record ${records + 1} was applied by version ${rulesVersion} of the rules and this program ` +
      `has versions ${rulesVersionMin - 1} to ${rulesVersionMin}: start a program that has it`,
  );
});
