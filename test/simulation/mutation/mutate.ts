import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { Draws } from '../world/draws.ts';
import { describeReport, type MutationReport } from './describe-report.ts';
import { isAroundEngine, listFiles } from './places.ts';

const chunkLines = 20;
/** Processor time of one process. An endless loop counts as found, and a busy machine must not. */
const cpuSeconds = 60;
const timeoutMs = 1_800_000;
const own = 'test/simulation/mutation';
/** As deep as the sources, which find the root of the repository from there. */
const compiled = 'dist/mutation';
/** What a mutant's judge needs of the repository. */
const copied = [
  'src',
  'test',
  'bench/workload',
  'docs',
  'package.json',
  'tsconfig*.json',
  'vitest.config.ts',
];

interface Arguments {
  readonly oneOf: number;
  readonly seed: number;
  readonly except: readonly string[];
  readonly atLeast: number;
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it is a whole number.');
  return Number(text);
}

const program = new Command('mutate')
  .description(
    'Change a folder of the exchange in each way that Stryker knows, and look who notices.',
  )
  .argument('<folder>', 'for example src/engine/ledger; or one file')
  .option(
    '--one-of <n>',
    `one of so many parts of ${chunkLines} lines, drawn by the seed`,
    whole,
    1,
  )
  .option('--seed <n>', 'what draws the parts', whole, 1)
  .option('--except <folders...>', 'folders in it that are left out', [])
  .option('--at-least <percent>', 'fail below this share of mutants that are found', whole, 0);
program.parse();
process.exitCode = mutate(program.args[0]!, program.opts<Arguments>());

function mutate(folder: string, { oneOf, seed, except, atLeast }: Arguments): number {
  const work = mkdtempSync(join(tmpdir(), 'openbourse-mutate-'));
  try {
    const config = join(work, 'stryker.config.json');
    const report = join(work, 'report.json');
    const files = listFiles(folder).filter((path) => !except.some((each) => isIn(path, each)));
    const parts = drawParts(files, oneOf, new Draws(seed, 'mutants'));
    writeFileSync(config, JSON.stringify(configOf(folder, parts, report)));
    const stryker = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', config];
    const { status } = spawnSync(process.execPath, stryker, { stdio: 'inherit' });
    if (status !== 0) return 1;
    const { text, percent } = describeReport(
      JSON.parse(readFileSync(report, 'utf8')) as MutationReport,
    );
    console.log(`${folder}, ${parts.length} parts: ${text}`);
    return percent < atLeast ? 1 : 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(`${folder.replace(/\/$/, '')}/`);
}

/** Ranges of lines as Stryker takes them. */
function drawParts(files: readonly string[], oneOf: number, draws: Draws): readonly string[] {
  return files.flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n').length;
    const parts: string[] = [];
    for (let from = 1; from < lines; from += chunkLines) {
      const range = `${path}:${from}-${Math.min(from + chunkLines - 1, lines)}`;
      if (draws.below(oneOf) === 0) parts.push(range);
    }
    return parts;
  });
}

// The programs have no part in the simulated engine.
function configOf(folder: string, parts: readonly string[], report: string): object {
  const simulator = isAroundEngine(folder) ? 'simulate-worlds' : 'simulate-engine';
  const simulation = folder.startsWith('src/programs') ? [] : [`node ${compiled}/${simulator}.js`];
  const units = `node --import tsx ${own}/run-unit-tests.ts ${folder}`;
  const steps = [`ulimit -t ${cpuSeconds}`, ...simulation, units];
  return {
    testRunner: 'command',
    buildCommand: `vite build --ssr ${own}/${simulator}.ts --outDir ${compiled} --logLevel warn`,
    commandRunner: { command: steps.join(' && ') },
    mutate: parts,
    ignorePatterns: [
      '*',
      ...copied.map((path) => `!${path}`),
      ...copied.map((path) => `!${path}/**`),
    ],
    concurrency: 1,
    coverageAnalysis: 'off',
    disableTypeChecks: false,
    timeoutMS: timeoutMs,
    reporters: ['json', 'dots'],
    jsonReporter: { fileName: report },
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    allowEmpty: true,
    checkers: [],
    plugins: [],
  };
}
