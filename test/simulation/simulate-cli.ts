import { readFileSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type EngineRound, engineProfile, shrinkRound } from './world/engine-profile.ts';
import { type FaultKind, faultKinds } from './world/fault-kinds.ts';
import { shrink } from './world/shrink.ts';
import { type Outcome, type Plan, type Profile, profiles, simulate } from './world/simulate.ts';

interface Arguments {
  readonly seed: number;
  readonly seeds: number;
  readonly ticks: number;
  readonly profile: Profile | 'engine';
  readonly processes: number;
  readonly faults?: readonly FaultKind[];
  readonly twice: boolean;
  readonly trace: boolean;
  readonly shrink: boolean;
  readonly plan?: string;
  readonly planOut?: string;
  readonly hours?: number;
}

const shrinkMs = 60_000;

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it is a whole number.');
  return Number(text);
}

function positive(text: string): number {
  const hours = Number(text);
  if (!(hours > 0)) throw new InvalidArgumentError('it is a number above 0.');
  return hours;
}

function kindsOf(text: string): readonly FaultKind[] {
  if (text === 'none') return [];
  return text.split(',').map((name) => {
    const kind = faultKinds.find((each) => each === name);
    if (kind === undefined) {
      throw new InvalidArgumentError(`known are none or some of ${faultKinds.join(',')}.`);
    }
    return kind;
  });
}

const program = new Command('simulate')
  .description('Run the whole exchange in virtual time under faults that a seed decides.')
  .option('--seed <n>', 'what decides everything', whole, 1)
  .option('--seeds <n>', 'how many seeds to run, from --seed on', whole, 1)
  .option('--ticks <n>', 'events before the faults stop; with engine: commands', whole, 20_000)
  .addOption(
    new Option('--profile <name>', 'what runs: see docs/simulation.md')
      .choices([...profiles, 'engine'])
      .default('cluster'),
  )
  .option('--processes <n>', 'how many; one needs no NATS, unless with cluster', whole, 3)
  .option('--faults <kinds>', 'some kinds, separated by commas, or none; else the seed', kindsOf)
  .option('--twice', 'run each seed twice and compare', false)
  .option('--trace', 'print what happens', false)
  .option('--no-shrink', 'do not look for a smaller plan of a failure')
  .option(
    '--plan <file>',
    'run the plan of this file, with --seeds also with the seeds after its own',
  )
  .option('--plan-out <file>', 'write the shrunk plan of a failure there')
  .option('--hours <h>', 'go on with further seeds for so long', positive);

const given = program.parse().opts<Arguments>();
process.exitCode = (await runAll()) ? 0 : 1;

async function runAll(): Promise<boolean> {
  const end = performance.now() + (given.hours ?? 0) * 3_600_000;
  for (let done = 0; done < given.seeds || performance.now() < end; done += 1) {
    const seed = given.seed + done;
    const isSound = given.profile === 'engine' ? await runEngine(seed) : await runOne(planOf(seed));
    if (!isSound) return false;
  }
  return true;
}

async function runEngine(seed: number): Promise<boolean> {
  const { commands, violation, round } = engineProfile(seed, given.ticks);
  console.log(`seed ${seed} engine: ${violation?.oracle ?? 'sound'}, ${commands} commands`);
  if (violation === null || round === null) return true;
  console.log(`${violation.oracle}: ${violation.message}`);
  if (given.shrink) await explainRound(round, violation.oracle);
  console.log(`npm run simulate -- --seed ${seed} --ticks ${given.ticks} --profile engine`);
  return false;
}

async function explainRound(round: EngineRound, oracle: string): Promise<void> {
  const end = performance.now() + shrinkMs;
  const small = await shrinkRound(round, oracle, () => performance.now() > end);
  const text = JSON.stringify(small.round, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  console.log(`shrunk in ${small.runs} runs: ${text}`);
  console.log(`${small.violation.oracle}: ${small.violation.message}`);
}

function planOf(seed: number): Plan {
  if (given.plan !== undefined) {
    const plan = JSON.parse(readFileSync(given.plan, 'utf8')) as Plan;
    return { ...plan, seed: plan.seed + seed - given.seed };
  }
  const { processes, ticks, faults: kinds = null } = given;
  const profile = given.profile === 'engine' ? 'alone' : given.profile;
  return { seed, profile, processes, ticks, faults: null, kinds };
}

async function runOne(plan: Plan): Promise<boolean> {
  const outcome = await simulate(plan, given.trace ? console.log : undefined);
  report(plan, outcome);
  if (given.twice) {
    const again = await simulate(plan);
    const isSame = again.hash === outcome.hash;
    console.log(isSame ? '  the same again' : `  ANOTHER RUN: ${again.hash}`);
    if (!isSame) return false;
  }
  if (outcome.violation === null) return true;
  await explain(plan, outcome);
  return false;
}

function report({ seed, profile }: Plan, outcome: Outcome): void {
  const { ticks, virtualMs, commands, acknowledged, refused, unknown, reads, ends } = outcome;
  const seconds = (virtualMs / 1_000).toFixed(1);
  console.log(
    `seed ${seed} ${profile}: ${outcome.violation?.oracle ?? 'sound'}, hash ${outcome.hash}, ` +
      `${ticks} ticks, ${seconds} s, ${commands} commands (${acknowledged} acknowledged, ` +
      `${refused} refused, ${unknown} unknown), ${reads} reads, ` +
      `${outcome.faults.length} faults, ${ends.length} ends`,
  );
}

async function explain(plan: Plan, outcome: Outcome): Promise<void> {
  console.log(outcome.notes.slice(-50).join('\n'));
  console.log(`${outcome.violation?.oracle}: ${outcome.violation?.message}`);
  if (given.shrink) await explainShrunk(plan, outcome);
  const { seed, profile, processes, ticks } = plan;
  const kinds = plan.kinds === null ? '' : ` --faults ${plan.kinds.join(',') || 'none'}`;
  console.log(
    `npm run simulate -- --seed ${seed} --ticks ${ticks} --profile ${profile} ` +
      `--processes ${processes}${kinds}`,
  );
}

async function explainShrunk(plan: Plan, outcome: Outcome): Promise<void> {
  const end = performance.now() + shrinkMs;
  const small = await shrink(plan, outcome, () => performance.now() > end);
  console.log(`shrunk in ${small.runs} runs: ${JSON.stringify(small.plan)}`);
  if (given.planOut === undefined) return;
  writeFileSync(given.planOut, `${JSON.stringify(small.plan, null, 2)}\n`);
}
