import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractsFolder } from './compile-contracts.ts';

// The maximum gas of each external call in the tests of single functions, and of deployment.

/** By contract: its deployment, and its functions by signature, in gas. */
export type GasReport = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const gasFile = join(contractsFolder, 'gas.json');
const measured = ['ReferralRebate', 'RewardRouter', 'SpotVault'];
/** The relative difference from the file's costs that is accepted. */
const tolerance = 0.01;

interface ForgeEntry {
  readonly contract: string;
  readonly deployment: { readonly gas: number };
  readonly functions: Readonly<Record<string, { readonly max: number }>>;
}

/** @throws Error if the tests fail. */
export function measureGas(forge: string): GasReport {
  const tests = ['--no-match-test', '^(testFuzz|invariant)'];
  const run = spawnSync(forge, ['test', '--root', '.', '--gas-report', '--json', ...tests], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
    env: { ...process.env, FOUNDRY_CONFIG: join(contractsFolder, 'foundry.toml') },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) throw new Error(`forge measures nothing: ${run.stderr}`);
  const entries = JSON.parse(run.stdout.slice(run.stdout.indexOf('['))) as readonly ForgeEntry[];
  const report = measured.map((name): [string, Record<string, number>] => {
    const entry = entries.find(({ contract }) => contract === `contracts/src/${name}.sol:${name}`);
    if (entry === undefined) throw new Error(`forge measures no ${name}`);
    const calls = Object.entries(entry.functions).sort(([a], [b]) => (a < b ? -1 : 1));
    const gas = calls.map(([signature, { max }]): [string, number] => [signature, max]);
    return [name, Object.fromEntries([['deployment', entry.deployment.gas], ...gas])];
  });
  return Object.fromEntries(report);
}

export function readGasFile(): GasReport {
  return JSON.parse(readFileSync(gasFile, 'utf8')) as GasReport;
}

/** Calls whose cost differs from the file by more than 1 %, or that are on one side only. */
export function compareGas(written: GasReport, now: GasReport): readonly string[] {
  return measured.flatMap((contract) => {
    const [before, after] = [written[contract] ?? {}, now[contract] ?? {}];
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
      const [old, current] = [before[name], after[name]];
      const isNear =
        old !== undefined && current !== undefined && Math.abs(current - old) <= old * tolerance;
      return isNear ? [] : [`${contract} ${name}: ${old ?? 'none'} to ${current ?? 'none'} gas`];
    });
  });
}
