import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectRoot } from '../architecture/source-files.ts';
import { adminAndPointsParts } from './admin-and-points-rows.ts';
import { derivativesParts } from './derivatives-rows.ts';
import { referralParts } from './referral-rows.ts';
import type { InterfacePart } from './row.ts';
import { spotParts } from './spot-rows.ts';

// npm run conformance [-- report.json]: writes docs/conformance.md from a test run's JSON report,
// running the tests where none is given, and fails where a row has no passing test.

const parts: readonly InterfacePart[] = [
  ...referralParts,
  ...adminAndPointsParts,
  ...spotParts,
  ...derivativesParts,
];

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

const passed = readPassedTests(process.argv[2] ?? runTests());
const lines = [
  '# Conformance',
  '',
  'Each row of the interface, and a test that shows it. `npm run conformance` writes this page',
  'and fails where a row has no passing test.',
];
const missing: string[] = [];
for (const { title, rows } of parts) {
  lines.push('', `## ${title}`, '', '| row | shown by |', '|---|---|');
  for (const { text, shownBy } of rows) {
    const tests = shownBy.map((pattern) => passed.find((name) => pattern.test(name)) ?? null);
    if (tests.includes(null)) missing.push(`${title}: ${text}`);
    const shown = tests.map((name) => (name === null ? '**no passing test**' : escape(name)));
    lines.push(`| ${escape(text)} | ${shown.join('<br>')} |`);
  }
}
writeFileSync(join(projectRoot, 'docs/conformance.md'), `${lines.join('\n')}\n`);
const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
for (const each of missing) console.error(`no passing test: ${each}`);
console.log(`${count - missing.length} of ${count} rows are shown by a passing test`);
process.exitCode = missing.length === 0 ? 0 : 1;

function readPassedTests(path: string): readonly string[] {
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ ancestorTitles, title }) =>
        [relative(projectRoot, name), ...ancestorTitles, title].join(' > '),
      ),
  );
}

function runTests(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'conformance-')), 'report.json');
  try {
    execFileSync('npx', ['vitest', 'run', '--reporter=json', `--outputFile=${path}`], {
      cwd: projectRoot,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    // A failed test is no passing one: the rows that it was to show are named below.
  }
  return path;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
