import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { EngineBusyError } from '../../src/application/ports/exchange.ts';
import type { Sequence } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { crc32c } from '../../src/journal/crc32c.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { openSequencer, type Sequencer } from '../../src/sequencer/sequencer.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { fundingCommands, tradingCommands } from '../workload/exchange-commands.ts';
import { generateWorkload } from '../workload/generate-workload.ts';

// A start without a snapshot: every command of the journal is read, checked, decoded and applied by
// the real engine, its events built, while the event loop stays free for requests.

const size = { commands: 1_000_000, liveOrders: 50_000, seed: 42 };
const inFlight = 4_096;
const busyPauseMs = 20;
const segmentPattern = /\.segment$/;
const chunkBytes = 2 << 20;

function open(directory: string): Sequencer {
  return openSequencer({
    directory,
    machines: engineFactory,
    clock: { now: Date.now },
    logger: pino({ level: 'silent' }),
    onFatal: (error) => {
      throw error;
    },
    limits: { snapshotEvery: Number.MAX_SAFE_INTEGER, waitingMax: inFlight * 2 },
  });
}

async function submitAll(sequencer: Sequencer, commands: readonly Command[]): Promise<void> {
  for (let from = 0; from < commands.length; from += inFlight) {
    const batch = commands.slice(from, from + inFlight);
    await Promise.all(batch.map((command) => submit(sequencer, command)));
  }
}

// Where the next segment of the journal is not prepared yet, the disk is what everyone waits for.
async function submit(sequencer: Sequencer, command: Command): Promise<void> {
  for (;;) {
    try {
      await sequencer.submit(command);
      return;
    } catch (error) {
      if (!(error instanceof EngineBusyError)) throw error;
      await pause(busyPauseMs);
    }
  }
}

async function record(directory: string): Promise<Sequence> {
  const workload = generateWorkload(size);
  const sequencer = open(directory);
  await sequencer.start();
  await submitAll(sequencer, fundingCommands());
  await submitAll(sequencer, tradingCommands(workload, 0, workload.types.length));
  const last = sequencer.durableSequence;
  await sequencer.stop();
  // The snapshot of the stop would make the next start short.
  for (const name of await nodeDisk.list(directory)) {
    if (name.endsWith('.snapshot')) await nodeDisk.remove(join(directory, name));
  }
  return last;
}

interface Replayed {
  readonly elapsedMs: number;
  /** Of all threads of the process, garbage collection among them. */
  readonly cpuMs: number;
}

/** A start that replays everything. */
async function replay(directory: string, last: Sequence): Promise<Replayed> {
  const sequencer = open(directory);
  const begun = performance.now();
  const cpuBefore = process.cpuUsage();
  await sequencer.start();
  const { user, system } = process.cpuUsage(cpuBefore);
  const elapsedMs = performance.now() - begun;
  if (sequencer.durableSequence !== last) throw new Error('the replay ended early');
  await sequencer.stop();
  for (const name of await nodeDisk.list(directory)) {
    if (name.endsWith('.snapshot')) await nodeDisk.remove(join(directory, name));
  }
  return { elapsedMs, cpuMs: (user + system) / 1_000 };
}

/** Milliseconds to read the same files and check every byte, without understanding any. */
async function readOnly(directory: string): Promise<number> {
  const begun = performance.now();
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let checksum = 0;
  for (const name of await nodeDisk.list(directory)) {
    if (!segmentPattern.test(name)) continue;
    const file = await nodeDisk.openForReading(join(directory, name));
    for (let at = 0, count = 1; count > 0; at += count) {
      count = await file.read(chunk, at);
      checksum ^= crc32c(chunk, 0, count, count);
    }
    await file.close();
  }
  if (!Number.isInteger(checksum)) throw new Error('no checksum');
  return performance.now() - begun;
}

async function run(): Promise<BenchmarkResult> {
  const directory = await mkdtemp(join(tmpdir(), 'openbourse-replay-'));
  try {
    const last = await record(directory);
    const rates: number[] = [];
    const limits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      limits.push((last * 1000) / (await readOnly(directory)));
      const { elapsedMs, cpuMs } = await replay(directory, last);
      rates.push((last * 1000) / elapsedMs);
      console.log(
        `replay: ${Math.round(rates.at(-1) ?? 0)} commands/s of ${last}, ` +
          `${((cpuMs * 1000) / last).toFixed(2)} us of CPU each`,
      );
    }
    return {
      name: 'replay',
      ours: Math.round(Math.max(...rates)),
      peer: Math.round(Math.max(...limits)),
      peer_name: 'reading and checksumming the same files',
      unit: 'commands/s',
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export const benchmark: Benchmark = {
  name: 'replay',
  summary: 'a start that replays a journal of a million commands, against reading its bytes',
  run,
};
