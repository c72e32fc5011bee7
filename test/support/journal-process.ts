import { pino } from 'pino';
import { engineFactory } from '../../src/engine/engine.ts';
import { openSequencer } from '../../src/sequencer/sequencer.ts';
import { addressOf } from './sequencer-address.ts';

// A separate process that opens accounts as fast as it can, several at a time, and writes a line
// for each one that was acknowledged. Arguments: the folder, and the number of the first account.

const [directory = '', first = '0'] = process.argv.slice(2);
const lanes = 8;

const sequencer = openSequencer({
  directory,
  machines: engineFactory,
  clock: { now: () => Date.now() },
  logger: pino({ level: 'warn', base: null }, process.stderr),
  onFatal: () => process.exit(1),
  limits: { snapshotEvery: 2_000, segmentBytesFirst: 1 << 20, segmentBytesMax: 1 << 20 },
});

let next = Number(first);

async function trade(): Promise<void> {
  for (;;) {
    const number = next;
    next += 1;
    const { sequence } = await sequencer.submit({
      type: 'openAccount',
      address: addressOf(number),
    });
    process.stdout.write(`${sequence} ${number}\n`);
  }
}

try {
  await sequencer.start();
  process.stdout.write(`ready ${sequencer.durableSequence}\n`);
  await Promise.all(Array.from({ length: lanes }, trade));
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}
