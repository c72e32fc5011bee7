import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { engineFactory } from '../../src/engine/engine.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { rulesVersion } from '../../src/journal/rules-version.ts';
import { verifyJournal } from '../../src/journal/verify-journal.ts';
import { openSequencer } from '../../src/sequencer/sequencer.ts';
import { systemTime } from '../../src/system/system-time.ts';
import { flowCommands } from '../support/recorded-flow.ts';

// node --import tsx test/golden/make-golden-journal.ts: writes the stored journal and its hash
// anew. Only after a change of the rules that is meant, together with a higher rulesVersion.

const folder = fileURLToPath(new URL('./journal', import.meta.url));
const startTime = 1_700_000_000_000;
const commandCount = 600;
const burst = 20;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
let now = startTime;
const sequencer = openSequencer({
  directory: folder,
  machines: engineFactory,
  clock: { now: () => (now += 7) },
  logger: pino({ level: 'warn' }),
  onFatal: (error) => {
    throw error;
  },
  limits: {
    groupBytesMax: 4_096,
    segmentBytesFirst: 16_384,
    segmentBytesMax: 16_384,
    snapshotEvery: 400,
  },
});
await sequencer.start();
const commands = flowCommands(2_024, commandCount);
for (let at = 0; at < commands.length; at += burst) {
  await Promise.all(commands.slice(at, at + burst).map((command) => sequencer.submit(command)));
}
await sequencer.stop();
const { stateHash } = await verifyJournal({
  disk: nodeDisk,
  folder,
  machines: engineFactory,
  time: systemTime,
});
const expected = { rulesVersion, records: commandCount, stateHash };
const path = fileURLToPath(new URL('./expected.json', import.meta.url));
writeFileSync(path, `${JSON.stringify(expected, null, 2)}\n`);
