import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { Draws } from '../world/draws.ts';
import { describeReport, type MutationReport } from './describe-report.ts';

const chunkLines = 20;
const timeoutMs = 60_000;
/** What a mutant's judge needs of the repository. */
const copied = [
  'src',
  'test',
  'bench/workload',
  'package.json',
  'tsconfig*.json',
  'vitest.config.ts',
];

interface Arguments {
  readonly oneOf: number;
  readonly seed: number;
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
  .option('--at-least <percent>', 'fail below this share of mutants that are found', whole, 0);
program.parse();
process.exitCode = mutate(program.args[0]!, program.opts<Arguments>());

function mutate(folder: string, { oneOf, seed, atLeast }: Arguments): number {
  const work = mkdtempSync(join(tmpdir(), 'openbourse-mutate-'));
  try {
    const config = join(work, 'stryker.config.json');
    const report = join(work, 'report.json');
    const parts = drawParts(folder, oneOf, new Draws(seed, 'mutants'));
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

function listFiles(place: string): readonly string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(place, name));
}

/** Ranges of lines as Stryker takes them. */
function drawParts(folder: string, oneOf: number, draws: Draws): readonly string[] {
  return listFiles(folder).flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n').length;
    const parts: string[] = [];
    for (let from = 1; from < lines; from += chunkLines) {
      const range = `${path}:${from}-${Math.min(from + chunkLines - 1, lines)}`;
      if (draws.below(oneOf) === 0) parts.push(range);
    }
    return parts;
  });
}

function configOf(folder: string, parts: readonly string[], report: string): object {
  return {
    testRunner: 'command',
    commandRunner: {
      command: `node --import tsx test/simulation/mutation/judge.ts ${folder}`,
    },
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
