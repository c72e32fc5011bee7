import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { engineFactory } from '../../src/engine/engine.ts';
import { openSequencer, type Sequencer } from '../../src/sequencer/sequencer.ts';
import type { SequencerLimits, SequencerOptions } from '../../src/sequencer/sequencer-options.ts';

/** Sizes small enough that a few hundred commands pass through several segments. */
const smallLimits: Partial<SequencerLimits> = {
  groupBytesMax: 4_096,
  segmentBytesFirst: 16_384,
  segmentBytesMax: 16_384,
  spaceRetryMs: 5,
};

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'openbourse-journal-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface SequencerFixture {
  readonly sequencer: Sequencer;
  readonly log: readonly LogLine[];
  readonly failures: readonly unknown[];
}

/** A sequencer over the folder with the real engine; its caller stops it. */
export function makeSequencer(
  directory: string,
  options: Partial<SequencerOptions> = {},
): SequencerFixture {
  const log: LogLine[] = [];
  const failures: unknown[] = [];
  const logger = pino(
    { level: 'trace', base: null },
    { write: (line) => log.push(JSON.parse(line) as LogLine) },
  );
  const sequencer = openSequencer({
    directory,
    machines: engineFactory,
    clock: { now: () => 1_700_000_000_000 },
    logger,
    onFatal: (error) => failures.push(error),
    ...options,
    limits: { ...smallLimits, ...options.limits },
  });
  return { sequencer, log, failures };
}

/** The same, stopped after the test. */
export function createSequencer(
  directory: string,
  options: Partial<SequencerOptions> = {},
): SequencerFixture {
  const fixture = makeSequencer(directory, options);
  onTestFinished(() => fixture.sequencer.stop());
  return fixture;
}
