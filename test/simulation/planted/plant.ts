import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'vite';
import { projectRoot } from '../../architecture/source-files.ts';
import type { Plan } from '../world/simulate.ts';
import type { Planted } from './planted.ts';

const copied = [
  'src',
  'test/simulation',
  'test/mutants',
  'test/support',
  'test/golden',
  'test/architecture',
  'bench/workload',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

/** One change of a file. */
export type Change = Pick<Planted, 'name' | 'file' | 'from' | 'to'>;

/** The file with the fault in it. @throws Error if its text does not occur exactly once */
export async function plantInto({ file, from, to, name }: Change): Promise<string> {
  const text = await readFile(join(projectRoot, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} has other lines by now`);
  return text.replace(from, () => to);
}

/** For a bundle of the exchange with the fault. @throws Error as `plantInto` */
export async function faultPlugin(fault: Change): Promise<Plugin> {
  const planted = await plantInto(fault);
  const path = join(projectRoot, fault.file);
  return { name: 'fault', enforce: 'pre', load: (id) => (id === path ? planted : null) };
}

export interface Finding {
  readonly oracle: string;
  readonly seed: number;
}

/** Does the work in the folder of a copy of the exchange with the fault. */
export async function inCopyWith<T>(
  fault: Change,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const planted = await plantInto(fault);
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-planted-'));
  try {
    for (const part of copied) {
      await cp(join(projectRoot, part), join(folder, part), { recursive: true });
    }
    for (const part of ['node_modules', 'docs']) {
      await symlink(join(projectRoot, part), join(folder, part));
    }
    await writeFile(join(folder, fault.file), planted);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Does the work with the program of `npm run simulate`, whose exchange has the fault. */
export async function withSimulator<T>(
  fault: Change,
  work: (program: string) => Promise<T>,
): Promise<T> {
  const plugins = [await faultPlugin(fault)];
  await mkdir(join(projectRoot, 'dist'), { recursive: true });
  // As deep as the sources, which find the root of the repository from there.
  const outDir = await mkdtemp(join(projectRoot, 'dist', 'planted-'));
  try {
    await build({
      configFile: false,
      root: projectRoot,
      logLevel: 'error',
      plugins,
      build: { ssr: 'test/simulation/simulate-cli.ts', outDir, minify: false },
    });
    return await work(join(outDir, 'simulate-cli.js'));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** What the simulator finds in an exchange with the fault; null: nothing. */
export function simulatePlanted(fault: Planted): Promise<Finding | null> {
  return withSimulator(fault, async (program) => {
    const options = await optionsOf(fault, dirname(program));
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [program, '--no-shrink', ...options],
      { maxBuffer: 1 << 26 },
    ).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
    // A program that does not start runs no seed.
    if (!/^seed \d+ /m.test(stdout)) throw new Error(`the simulator ran no seed: ${stderr}`);
    const line = /^seed (\d+) \w+: (?!sound)(\w+),/m.exec(stdout);
    if (line === null) return null;
    return { oracle: line[2] ?? '', seed: Number(line[1]) };
  });
}

/** Options of the program; a plan is written to the folder. */
async function optionsOf(fault: Planted, folder: string): Promise<readonly string[]> {
  const { profile, faults, ticks, seeds, plan, clients } = fault;
  const values: Record<string, string | number> = {
    profile,
    faults: faults.join(',') || 'none',
    ticks,
    seeds,
  };
  if (plan !== undefined && profile !== 'engine') {
    values['plan'] = join(folder, 'plan.json');
    const drawn: Plan = { seed: 1, profile, processes: 3, ticks, faults: plan, kinds: [] };
    const whole: Plan = clients === undefined ? drawn : { ...drawn, clients };
    await writeFile(values['plan'], JSON.stringify(whole));
  }
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]);
}
