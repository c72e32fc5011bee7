import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { rulesVersion } from '../../src/engine/rules.ts';
import type { Stamp } from '../../src/engine/state-machine.ts';
import { openSequencer } from '../../src/sequencer/sequencer.ts';
import { runAll } from '../simulation/adversaries/run-all.ts';
import { GoldenFlow } from './golden-flow.ts';
import { digestsOf, toJson } from './golden-state.ts';

// node --import tsx test/golden/make-golden-journal.ts: writes the stored journals of the present
// rules, and what their commands gave. Again only while no program with these rules has been
// released; those of earlier rules are never written again.

interface Stamped {
  readonly command: Command;
  readonly stamp: Stamp;
}

const tradingCount = 1_600;
const burst = 20;
const home = fileURLToPath(new URL(`./rules/v${rulesVersion}/`, import.meta.url));

/** Orders of both kinds, funding, transfers. */
function tradingCommands(): Stamped[] {
  const flow = new GoldenFlow(10_000);
  const outcomes = [...flow.begin(), ...flow.run(tradingCount)].slice(0, tradingCount);
  return outcomes.map(({ command, sequence, timestamp }) => ({
    command,
    stamp: { sequence, timestamp },
  }));
}

/** Liquidations, deleveraging, delistings. */
function dangerCommands(): readonly Stamped[] {
  return runAll({ seed: 20_261_123, steps: 900, accounts: 40 }).commands;
}

async function write(name: string, commands: readonly Stamped[]): Promise<void> {
  const folder = `${home}${name}`;
  mkdirSync(folder, { recursive: true });
  let next = 0;
  const sequencer = openSequencer({
    directory: folder,
    machines: engineFactory,
    clock: { now: () => commands[next++]!.stamp.timestamp },
    logger: pino({ level: 'warn' }),
    onFatal: (error) => {
      throw error;
    },
    limits: {
      groupBytesMax: 4_096,
      segmentBytesFirst: 65_536,
      segmentBytesMax: 65_536,
      snapshotEvery: 500,
    },
  });
  await sequencer.start();
  const outcomes: AppliedCommand[] = [];
  for (let at = 0; at < commands.length; at += burst) {
    const group = commands.slice(at, at + burst);
    outcomes.push(...(await Promise.all(group.map(({ command }) => sequencer.submit(command)))));
  }
  await sequencer.stop();
  const engine = engineFactory.create();
  for (const { command, stamp } of commands) engine.replay(command, stamp);
  const expected = {
    records: commands.length,
    stateHash: engine.stateHash(),
    digests: digestsOf(outcomes),
  };
  writeFileSync(`${home}${name}.json`, toJson(expected));
}

rmSync(home, { recursive: true, force: true });
await write('trading', tradingCommands());
await write('danger', dangerCommands());
