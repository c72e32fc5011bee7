import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

/** The file with the fault in it. @throws Error where its text is not there, or not once */
export async function plantInto({ file, from, to, name }: Change): Promise<string> {
  const text = await readFile(join(projectRoot, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} has other lines by now`);
  return text.replace(from, () => to);
}

export interface Finding {
  readonly oracle: string;
  readonly seed: number;
}

/** What the simulator finds in a copy of the exchange with the fault; null: nothing. */
export function simulatePlanted(fault: Planted): Promise<Finding | null> {
  return inCopyWith(fault, (folder) => findIn(folder, fault));
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

async function findIn(folder: string, fault: Planted): Promise<Finding | null> {
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
  const options = Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const program = ['--import', 'tsx', 'test/simulation/simulate-cli.ts', '--no-shrink', ...options];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, program, {
    cwd: folder,
    maxBuffer: 1 << 26,
  }).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
  // A copy that does not compile runs no seed.
  if (!/^seed \d+ /m.test(stdout)) throw new Error(`the simulator ran no seed: ${stderr}`);
  const line = /^seed (\d+) \w+: (?!sound)(\w+),/m.exec(stdout);
  if (line === null) return null;
  return { oracle: line[2] ?? '', seed: Number(line[1]) };
}
