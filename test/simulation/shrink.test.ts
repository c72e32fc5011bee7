import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { engineFaults } from './planted/engine-faults.ts';
import { inCopyWith } from './planted/plant.ts';
import { planted } from './planted/planted.ts';
import type { Plan } from './world/simulate.ts';

const enoughMs = 300_000;
const program = ['--import', 'tsx', 'test/simulation/simulate-cli.ts'];

/** What a failing run prints in that folder. */
async function printFailure(folder: string, options: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [...program, ...options], { cwd: folder });
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
    await inCopyWith(fault, async (folder) => {
      const options = ['--profile', fault.profile, '--faults', fault.faults.join(',')];
      const seed = ['--seed', '3', '--ticks', String(fault.ticks)];
      const text = await printFailure(folder, [...options, ...seed, '--plan-out', 'plan.json']);
      const before = Number(/(\d+) faults/.exec(text)?.[1]);
      const plan = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as Plan;
      expect(plan.faults!.length).toBeLessThan(before);
      const again = await printFailure(folder, ['--plan', 'plan.json']);
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
    await inCopyWith(fault, async (folder) => {
      const text = await printFailure(folder, ['--profile', 'engine', '--ticks', '1']);
      const round = JSON.parse(/^shrunk in \d+ runs: (.*)$/m.exec(text)![1]!) as {
        readonly actions: readonly unknown[];
      };
      expect(round.actions).toHaveLength(1);
    });
  },
  enoughMs,
);
