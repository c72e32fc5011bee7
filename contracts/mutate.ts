import { Command, InvalidArgumentError } from 'commander';
import { findForge } from './mutation/find-forge.ts';
import { judgeAll, sample, type Verdict } from './mutation/judge-all.ts';
import { survivors } from './mutation/survivors.ts';
import { Workshop } from './mutation/workshop.ts';

// npm run contracts:mutate -- [--sample 40 --seed 1] [--only REGEX]

/** The minimum share of mutants that the tests have to find. */
const requiredScore = 0.95;

interface Options {
  readonly sample?: number;
  readonly seed: number;
  readonly only: string;
}

function integer(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('must be a number from 1 on');
  return Number(text);
}

const command = new Command('contracts:mutate')
  .description('Plant faults into the contracts, one at a time, and count which the tests find.')
  .option('--sample <count>', 'only so many of the faults', integer)
  .option('--seed <number>', 'which sample', integer, 1)
  .option('--only <regex>', 'only faults whose name matches, for example SpotVault.sweep', '')
  .addHelpText(
    'after',
    `
Ends with 1 where the tests find fewer than ${requiredScore * 100} % of the faults, where one that they do not
find has no reason in contracts/mutation/survivors.ts, or where one that has a reason is found.`,
  )
  .allowExcessArguments(false)
  .parse();

async function main({ sample: count, seed, only }: Options): Promise<boolean> {
  const forge = findForge();
  if (forge === null) throw new Error('there is no forge for this platform');
  const workshop = new Workshop(forge);
  try {
    const matching = workshop.mutants.filter(({ key }) => new RegExp(only).test(key));
    const chosen = count === undefined ? matching : sample(matching, count, seed);
    print(`${workshop.mutants.length} mutants, ${chosen.length} of them to be judged`);
    const verdicts = await judgeAll(workshop, chosen);
    return report(verdicts);
  } finally {
    workshop.close();
  }
}

function report(verdicts: readonly Verdict[]): boolean {
  const files = new Set(verdicts.map(({ mutant }) => mutant.file));
  for (const file of files) {
    print(`${file}: ${score(verdicts.filter(({ mutant }) => mutant.file === file))}`);
  }
  print(`all: ${score(verdicts)}`);
  const alive = verdicts.filter(({ finder }) => finder === null).map(({ mutant }) => mutant.key);
  const unexplained = alive.filter((key) => !(key in survivors));
  const found = verdicts
    .filter(({ mutant, finder }) => finder !== null && mutant.key in survivors)
    .map(({ mutant }) => mutant.key);
  for (const key of alive) print(`  ${key}: ${survivors[key] ?? 'NO REASON'}`);
  for (const key of found) print(`  is found and has a reason why it is not: ${key}`);
  const share = 1 - alive.length / Math.max(1, verdicts.length);
  return unexplained.length === 0 && found.length === 0 && share >= requiredScore;
}

function score(verdicts: readonly Verdict[]): string {
  const by = (wanted: Verdict['finder']) =>
    verdicts.filter(({ finder }) => finder === wanted).length;
  const found = verdicts.length - by(null);
  const share = ((100 * found) / Math.max(1, verdicts.length)).toFixed(1);
  return `${found} of ${verdicts.length} found (${share} %), ${by('unit tests')} by unit tests, ${by('fuzzing')} by fuzzing and invariants`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const isGood = await main(command.opts<Options>()).catch((error: unknown) =>
  command.error(`contracts:mutate: ${error instanceof Error ? error.message : String(error)}`),
);
process.exitCode = isGood ? 0 : 1;
