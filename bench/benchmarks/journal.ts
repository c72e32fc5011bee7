import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Address } from '../../src/domain/identifiers.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import {
  createJournalId,
  createSegment,
  segmentHeaderBytes,
  segmentPath,
} from '../../src/journal/segment.ts';
import { openSequencer } from '../../src/sequencer/sequencer.ts';
import { systemRandom } from '../../src/system/random-source.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';

// Commands that are journaled, applied and durable before their caller is answered, with many
// callers at once; against the disk alone, taking the same bytes in as many writes.

const rounds = 3;
const commandCount = 60_000;
const lanes = 256;
const segmentBytes = 64 << 20;

interface Measured {
  readonly rate: number;
  readonly groups: number;
  readonly bytes: number;
}

async function measureSequencer(directory: string): Promise<Measured> {
  const sequencer = openSequencer({
    directory,
    machines: engineFactory,
    clock: { now: () => Date.now() },
    logger: pino({ level: 'silent' }),
    onFatal: (error) => {
      throw error;
    },
    limits: { segmentBytesFirst: segmentBytes, snapshotEvery: Number.MAX_SAFE_INTEGER },
  });
  await sequencer.start();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < commandCount) {
      next += 1;
      const address = `0x${(next % 1_000).toString(16).padStart(40, '0')}` as Address;
      await sequencer.submit({ type: 'openAccount', address });
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  const rate = (commandCount * 1_000) / (performance.now() - begun);
  const { groups, bytes } = sequencer.statistics;
  await sequencer.stop();
  return { rate, groups, bytes };
}

/** Commands a second if the disk takes the same bytes in as many writes, and nothing else. */
async function measureDisk(directory: string, { groups, bytes }: Measured): Promise<number> {
  const header = {
    journalId: createJournalId(systemRandom),
    rulesVersion: 1,
    ordinal: 1,
    bytes: segmentBytes,
  };
  await nodeDisk.createFolder(directory);
  await createSegment(nodeDisk, directory, header);
  const file = await nodeDisk.openDurable(segmentPath(directory, 1));
  const group = Buffer.alloc(Math.ceil(bytes / groups), 7);
  const begun = performance.now();
  for (let count = 0; count < groups; count += 1) {
    await file.write(group, group.length, segmentHeaderBytes + count * group.length);
  }
  const rate = (commandCount * 1_000) / (performance.now() - begun);
  await file.close();
  return rate;
}

async function run(): Promise<BenchmarkResult> {
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-bench-'));
  let ours = 0;
  let peer = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const measured = await measureSequencer(join(folder, `ours-${round}`));
      const disk = await measureDisk(join(folder, `disk-${round}`), measured);
      const size = Math.round(commandCount / measured.groups);
      console.log(
        `${Math.round(measured.rate)} durable commands/s in groups of ${size}; ` +
          `the disk alone ${Math.round(disk)}/s`,
      );
      ours = Math.max(ours, measured.rate);
      peer = Math.max(peer, disk);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return {
    name: 'journal',
    ours: Math.round(ours),
    peer: Math.round(peer),
    peer_name: 'bare durable writes of the same bytes in as many groups',
    unit: 'commands/s',
  };
}

export const benchmark: Benchmark = {
  name: 'journal',
  summary: 'commands that are durable before their callers hear of them, 256 callers at once',
  run,
};
