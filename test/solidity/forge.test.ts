import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';

// The Solidity tests run in forge, which the registry has for some platforms only.

function findForge(): string | null {
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve('@foundry-rs/forge-linux-amd64/package.json');
    return join(dirname(manifest), 'bin', 'forge');
  } catch {
    const onPath = spawnSync('forge', ['--version']);
    return onPath.status === 0 ? 'forge' : null;
  }
}

const forge = findForge();
if (forge === null) {
  process.stdout.write('the Solidity tests are skipped: no forge for this platform\n');
}

test.skipIf(forge === null)(
  'contracts: every Solidity test passes, fuzzing and invariants included',
  () => {
    const run = spawnSync(forge ?? '', ['test', '--root', '.', '--json'], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, FOUNDRY_CONFIG: join(projectRoot, 'contracts', 'foundry.toml') },
      maxBuffer: 64 * 1024 * 1024,
    });
    const outcomes = testOutcomes(run.stdout);
    const failed = outcomes.filter(({ status }) => status !== 'Success');
    expect({ failed, status: run.status, errors: run.status === 0 ? '' : run.stderr }).toEqual({
      failed: [],
      status: 0,
      errors: '',
    });
    expect(outcomes.length).toBeGreaterThan(60);
    expect(outcomes.filter(({ name }) => name.startsWith('invariant_')).length).toBe(4);
  },
  120_000,
);

interface TestOutcome {
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
}

type ForgeReport = Readonly<
  Record<
    string,
    {
      readonly test_results: Readonly<
        Record<string, { readonly status: string; readonly reason: string | null }>
      >;
    }
  >
>;

function testOutcomes(output: string): readonly TestOutcome[] {
  const start = output.indexOf('{');
  if (start < 0) return [];
  const report = JSON.parse(output.slice(start)) as ForgeReport;
  return Object.values(report).flatMap((suite) =>
    Object.entries(suite.test_results).map(([name, { status, reason }]) => ({
      name,
      status,
      reason,
    })),
  );
}
