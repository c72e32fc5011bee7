import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { engineFactory } from '../../src/engine/engine.ts';
import { rulesVersion } from '../../src/engine/rules.ts';
import { openSequencer } from '../../src/sequencer/sequencer.ts';
import { GoldenFlow } from './golden-flow.ts';
import { digestsOf, toJson } from './golden-state.ts';

// node --import tsx test/golden/make-golden-journal.ts: writes the stored journal of the present
// rules, the state hash at its end and what its commands gave. Anew only while no program with
// these rules has been released; those of earlier rules are never written again.

const commandCount = 1_600;
const burst = 20;

const flow = new GoldenFlow(10_000);
const outcomes = [...flow.begin(), ...flow.run(commandCount)].slice(0, commandCount);
const home = fileURLToPath(new URL(`./rules/v${rulesVersion}/`, import.meta.url));
const folder = `${home}journal`;
rmSync(home, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
let next = 0;
const sequencer = openSequencer({
  directory: folder,
  machines: engineFactory,
  clock: { now: () => outcomes[next++]!.timestamp },
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
for (let at = 0; at < outcomes.length; at += burst) {
  const group = outcomes.slice(at, at + burst);
  await Promise.all(group.map(({ command }) => sequencer.submit(command)));
}
await sequencer.stop();
const replayed = engineFactory.create();
for (const { command, sequence, timestamp } of outcomes) {
  replayed.replay(command, { sequence, timestamp });
}
const expected = {
  records: commandCount,
  stateHash: replayed.stateHash(),
  digests: digestsOf(outcomes),
};
writeFileSync(`${home}expected.json`, toJson(expected));
