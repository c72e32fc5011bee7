import { spawn } from 'node:child_process';
import { Command, InvalidArgumentError } from 'commander';
import { marks } from './marks/marks.ts';
import { engineProfile } from './world/engine-profile.ts';
import { type Plan, type Profile, profiles, simulate } from './world/simulate.ts';

// Simulates a number of commands across all profiles, on several processors, and reports how long
// it took and what happened. Each worker goes through seeds of its own.

/** Of a hundred commands. */
const shares: Readonly<Record<Profile | 'engine', number>> = {
  alone: 83.5,
  cluster: 2,
  gateway: 0.5,
  inject: 0.05,
  wallet: 0.5,
  upgrade: 0.5,
  engine: 12.95,
};
const ticks = 60_000;
const clients = 64;
const engineCommands = 30_000;
const seedsPerWorker = 1_000_000;
/** Starts counting before the exchange is compiled. */
const branchCounts = new URL('./marks/branch-counts.ts', import.meta.url).href;

interface Arguments {
  readonly commands: number;
  readonly workers: number;
  readonly seed: number;
  readonly worker?: number;
  readonly marks?: boolean;
}

/** What a worker has done; commands are those that were acknowledged. */
interface Figures {
  readonly commands: Record<string, number>;
  readonly seeds: Record<string, number>;
  readonly faults: Record<string, number>;
  /** How often each message was logged or thrown; only with --marks. */
  readonly messages: Record<string, number>;
  ends: number;
  virtualMs: number;
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it is a whole number.');
  return Number(text);
}

const program = new Command('simulate-budget')
  .description('Simulate at least so many commands, over all profiles.')
  .option('--commands <n>', 'acknowledged commands in all', whole, 2_000_000)
  .option('--workers <n>', 'how many at once', whole, 2)
  .option('--seed <n>', 'the first seed', whole, 1)
  .option('--marks', 'list the marks by frequency, and fail if one is not met')
  .option('--worker <n>', 'be this one of them');

const given = program.parse().opts<Arguments>();
if (given.worker === undefined) process.exitCode = (await runWorkers()) ? 0 : 1;
else console.log(JSON.stringify(await work(Number(given.worker))));

async function runWorkers(): Promise<boolean> {
  const begun = performance.now();
  const numbers = Array.from({ length: given.workers }, (_, index) => index);
  const all = await Promise.all(numbers.map(startWorker));
  const done = all.filter((figures) => figures !== null);
  if (done.length < all.length) return false;
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  const total = done.reduce((sum, { commands }) => sum + sumOf(commands), 0);
  const virtualHours = done.reduce((sum, { virtualMs }) => sum + virtualMs, 0) / 3_600_000;
  const ends = done.reduce((sum, each) => sum + each.ends, 0);
  console.log(`${total} commands in ${seconds} s: ${list(done.map((each) => each.commands))}`);
  console.log(`${list(done.map((each) => each.seeds))} seeds, ${virtualHours.toFixed(1)} hours`);
  console.log(`faults: ${list(done.map((each) => each.faults))}; ${ends} ends of processes`);
  const areMet = given.marks !== true || listMarks(totalOf(done.map(({ messages }) => messages)));
  return total >= given.commands && areMet;
}

/** Lists the marks, the rarest first; false if one is not met. */
function listMarks(counts: Readonly<Record<string, number>>): boolean {
  const byCount = marks.map((mark) => ({ mark, count: counts[mark] ?? 0 }));
  byCount.sort((one, other) => one.count - other.count);
  for (const { mark, count } of byCount) console.log(`${count}  ${mark}`);
  const met = byCount.filter(({ count }) => count > 0).length;
  console.log(`${met} of ${marks.length} marks met`);
  return met === marks.length;
}

function startWorker(number: number): Promise<Figures | null> {
  const options = ['--commands', given.commands, '--workers', given.workers, '--seed', given.seed];
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      ...(given.marks === true ? ['--import', branchCounts] : []),
      import.meta.filename,
      ...options.map(String),
      ...(given.marks === true ? ['--marks'] : []),
      '--worker',
      `${number}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve) => {
    child.on('close', (status) => {
      resolve(status === 0 ? (JSON.parse(text) as Figures) : null);
    });
  });
}

async function work(number: number): Promise<Figures> {
  const figures: Figures = {
    commands: {},
    seeds: {},
    faults: {},
    messages: {},
    ends: 0,
    virtualMs: 0,
  };
  const firstSeed = given.seed + number * seedsPerWorker;
  for (const profile of [...profiles, 'engine'] as const) {
    const quota = (given.commands * shares[profile]) / 100 / given.workers;
    for (let seed = firstSeed; (figures.commands[profile] ?? 0) < quota; seed += 1) {
      const done =
        profile === 'engine'
          ? runEngine(seed, quota - (figures.commands[profile] ?? 0))
          : await runSeed(profile, seed, figures);
      add(figures.commands, profile, done);
      add(figures.seeds, profile, 1);
    }
  }
  if (given.marks === true) {
    const { countMessages } = await import('./marks/branch-counts.ts');
    Object.assign(figures.messages, countMessages());
  }
  return figures;
}

function runEngine(seed: number, due: number): number {
  const most = Math.min(engineCommands, Math.ceil(due));
  const { violation, commands } = engineProfile(seed, most);
  if (violation !== null) {
    console.error(`npm run simulate -- --profile engine --seed ${seed} --ticks ${most}`);
    throw violation;
  }
  return commands;
}

async function runSeed(profile: Profile, seed: number, figures: Figures): Promise<number> {
  const isCrowded = profile !== 'gateway' && profile !== 'inject' && profile !== 'wallet';
  const drawn = { seed, profile, processes: 3, ticks, faults: null, kinds: null };
  const plan: Plan = isCrowded ? { ...drawn, clients } : drawn;
  const { violation, acknowledged, faults, ends, virtualMs, notes } = await simulate(plan);
  if (violation !== null) {
    console.error(notes.slice(-50).join('\n'));
    console.error(`npm run simulate -- --plan FILE, where FILE has ${JSON.stringify(plan)}`);
    throw violation;
  }
  for (const { kind } of faults) add(figures.faults, kind, 1);
  figures.ends += ends.length;
  figures.virtualMs += virtualMs;
  return acknowledged;
}

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function totalOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) add(total, name, count);
  }
  return total;
}

function list(all: readonly Readonly<Record<string, number>>[]): string {
  return Object.entries(totalOf(all))
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
