import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GoldenFlow } from './golden-flow.ts';
import { digestOf, toJson } from './golden-state.ts';
import { listFacts } from './state-facts.ts';

// node --import tsx test/golden/make-golden-state.ts: writes the stored state of the present
// version. Once, when the version begins; what stands there already is never written again.

const commandsBefore = 900;
const commandsAfter = 200;

const flow = new GoldenFlow(6_000);
flow.begin();
flow.run(commandsBefore);
const { engine } = flow;
const bytes = engine.encodeState();
const hash = engine.stateHash();
const facts = listFacts(engine);
const outcomes = flow.run(commandsAfter);
const commands = outcomes.map(({ command, sequence, timestamp }) => ({
  command,
  stamp: { sequence, timestamp },
}));
const events = outcomes.flatMap((applied) => [applied.rejection, applied.events]);
const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
const folder = fileURLToPath(new URL(`./state/v${version}/`, import.meta.url));
mkdirSync(folder);
writeFileSync(`${folder}state.bin`, bytes);
writeFileSync(`${folder}commands.json`, toJson(commands));
const after = { hash: engine.stateHash(), events: digestOf(events) };
writeFileSync(`${folder}expected.json`, toJson({ hash, facts, after }));
