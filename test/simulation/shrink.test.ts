import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { engineFaults } from './planted/engine-faults.ts';
import { withSimulator } from './planted/plant.ts';
import { planted } from './planted/planted.ts';
import type { Plan } from './world/simulate.ts';

const enoughMs = 300_000;

/** What a failing run of the program prints. */
async function printFailure(program: string, options: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [program, ...options]);
  const text = await run.then(
    () => '',
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
  expect(text).toMatch(/^shrunk in \d+ runs: /m);
  return text;
}

it(
  'shrinking: a failure under faults is printed with a smaller schedule that fails alike',
  async () => {
    const fault = planted.find(({ name }) => name.startsWith('what the database already holds'))!;
    await withSimulator(fault, async (program) => {
      const options = ['--profile', fault.profile, '--faults', fault.faults.join(',')];
      const seed = ['--seed', '3', '--ticks', String(fault.ticks)];
      const plan = join(dirname(program), 'plan.json');
      const text = await printFailure(program, [...options, ...seed, '--plan-out', plan]);
      const before = Number(/(\d+) faults/.exec(text)?.[1]);
      const { faults } = JSON.parse(await readFile(plan, 'utf8')) as Plan;
      expect(faults!.length).toBeLessThan(before);
      const again = await printFailure(program, ['--plan', plan]);
      const oracleOf = (output: string): string | undefined => /alone: (\w+),/.exec(output)?.[1];
      expect(oracleOf(again)).toBe(oracleOf(text));
    });
  },
  enoughMs,
);

it(
  'shrinking: a failure of the engine is printed with the one situation that shows it',
  async () => {
    const fault = engineFaults.find(({ name }) => name.startsWith('a delisted market'))!;
    await withSimulator(fault, async (program) => {
      const text = await printFailure(program, ['--profile', 'engine', '--ticks', '1']);
      const round = JSON.parse(/^shrunk in \d+ runs: (.*)$/m.exec(text)![1]!) as {
        readonly actions: readonly unknown[];
      };
      expect(round.actions).toHaveLength(1);
    });
  },
  enoughMs,
);
