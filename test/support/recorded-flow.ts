import { assert } from '../../src/domain/assert.ts';
import type { Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { Engine, engineFactory } from '../../src/engine/engine.ts';
import type { EngineView } from '../../src/engine/engine-view.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import type { Sequencer } from '../../src/sequencer/sequencer.ts';
import { SpotFlow } from './spot-flow.ts';

/** The commands of a random but repeatable flow on two markets, funding included. */
export function flowCommands(seed: number, count: number): Command[] {
  const flow = new SpotFlow({ seed });
  const outcomes = [...flow.open(), ...flow.trade(count)];
  return outcomes.slice(0, count).map((applied) => applied.command);
}

/** Sends the commands of a flow in bursts; returns what every caller heard. */
export async function sendFlow(
  sequencer: Sequencer,
  seed: number,
  count: number,
): Promise<AppliedCommand[]> {
  const outcomes: AppliedCommand[] = [];
  const commands = flowCommands(seed, count);
  for (let at = 0; at < commands.length; at += 50) {
    const burst = commands.slice(at, at + 50).map((command) => sequencer.submit(command));
    outcomes.push(...(await Promise.all(burst)));
  }
  return outcomes;
}

/** What the engine's state hash is after each of the commands; before the first one at 0. */
export function hashesOf(commands: readonly Command[], timestamp: number): string[] {
  const engine = engineFactory.create();
  const hashes = [engine.stateHash()];
  for (const [index, command] of commands.entries()) {
    const sequence = (index + 1) as Sequence;
    engine.apply(command, { sequence, timestamp: timestamp as TimestampMs });
    hashes.push(engine.stateHash());
  }
  return hashes;
}

/** The hash of the live state behind the sequencer. */
export function liveHash(sequencer: Sequencer): string {
  return sequencer.peek((view: EngineView) => {
    assert(view instanceof Engine, 'the view is the engine itself');
    return view.stateHash();
  });
}
