import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { compareGas, measureGas, readGasFile } from '../../contracts/gas-report.ts';
import { findForge } from '../../contracts/mutation/find-forge.ts';
import { projectRoot } from '../architecture/source-files.ts';

// The Solidity tests run in forge, which the registry has for some platforms only. One run of it
// serves the whole file; each Solidity test then stands as a separate test.

interface TestOutcome {
  readonly status: string;
  readonly reason: string | null;
}

type ForgeReport = Readonly<
  Record<string, { readonly test_results: Readonly<Record<string, TestOutcome>> }>
>;

const folder = join(projectRoot, 'contracts', 'test');

/** The tests of every file, as `File: test_name`. */
const sources = readdirSync(folder)
  .filter((file) => file.endsWith('.t.sol'))
  .flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const names = [...text.matchAll(/function ((?:test|invariant)\w+)\(/g)];
    return names.map(([, name]) => `${file.replace('.t.sol', '')}: ${name}`);
  });

const forge = findForge();
if (forge === null) {
  process.stdout.write('the Solidity tests are skipped: no forge for this platform\n');
}

describe.skipIf(forge === null)('contracts', () => {
  const outcomes = new Map<string, TestOutcome>();
  let exit: { readonly status: number | null; readonly errors: string };

  beforeAll(() => {
    const run = spawnSync(forge ?? '', ['test', '--root', '.', '--json'], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, FOUNDRY_CONFIG: join(projectRoot, 'contracts', 'foundry.toml') },
      maxBuffer: 64 * 1024 * 1024,
    });
    exit = { status: run.status, errors: run.status === 0 ? '' : run.stderr };
    const start = run.stdout.indexOf('{');
    const report = (start < 0 ? {} : JSON.parse(run.stdout.slice(start))) as ForgeReport;
    for (const [suite, { test_results: results }] of Object.entries(report)) {
      const file = suite.replace(/^.*\//, '').replace(/\.t\.sol:.*$/, '');
      for (const [signature, outcome] of Object.entries(results)) {
        outcomes.set(`${file}: ${signature.replace(/\(.*$/, '')}`, outcome);
      }
    }
  }, 300_000);

  test('contracts: every Solidity test was run, fuzzing and invariants included', () => {
    expect(exit).toEqual({ status: 0, errors: '' });
    expect([...outcomes.keys()].sort()).toEqual([...sources].sort());
    expect(outcomes.size).toBeGreaterThan(60);
    expect(sources.filter((name) => name.includes(': invariant_'))).toHaveLength(6);
  });

  test.each(['SpotVault', 'RewardRouter', 'ReferralRebate'])(
    'contracts: every call that changes the %s is tried by strangers',
    (name) => {
      const text = readFileSync(join(folder, 'Strangers.t.sol'), 'utf8');
      const file = join(projectRoot, 'contracts', 'abi', `${name}.json`);
      const changing = (JSON.parse(readFileSync(file, 'utf8')) as Abi).filter(
        (entry) => entry.type === 'function' && entry.stateMutability === 'nonpayable',
      );
      expect(changing.length).toBeGreaterThan(10);
      const missing = changing.filter(
        (entry) => 'name' in entry && !new RegExp(`\\.${entry.name}\\b`).test(text),
      );
      expect(missing).toEqual([]);
    },
  );

  test('contracts: calls cost what contracts/gas.json says, within 1 %', () => {
    const written = readGasFile();
    expect(compareGas(written, measureGas(forge ?? ''))).toEqual([]);
    const release = Object.keys(written['SpotVault'] ?? {}).find((name) =>
      /^release\(/.test(name),
    )!;
    const dearer = { ...written['SpotVault'], [release]: 1_000_000 };
    expect(compareGas(written, { ...written, SpotVault: dearer })).toHaveLength(1);
  });

  test.each(sources)('%s', (name) => {
    expect(outcomes.get(name)).toMatchObject({ status: 'Success' });
  });
});
