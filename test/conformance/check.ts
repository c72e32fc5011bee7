import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../architecture/source-files.ts';
import { chapters } from './chapters.ts';
import { findTest, type ReportedTest, readReports } from './report.ts';
import type { Part, Row } from './row.ts';

// npm run conformance [-- report.json ...]: shows each row by a test that passed in the reports,
// running the tests where none is given, and writes docs/conformance.md. Fails, and writes nothing,
// where a row has no passing test, names no test or several, or where two rows have one id.

const command = new Command('conformance')
  .description('Show each row of the interface by a test that passed; write docs/conformance.md.')
  .argument('[reports...]', "vitest's JSON reports; without: all tests run first, with progress")
  .parse();

const reports = command.args;
const tests = readReports(reports.length > 0 ? reports : [runTests()]);
const faults: string[] = [];
const ids = new Set<string>();
let rowCount = 0;
let shownCount = 0;

const lines = [
  '# Conformance',
  '',
  'Every row of the interface with the tests that show it, and after it what the exchange decided',
  'beyond the interface. `npm run conformance` makes this page from a run of the tests and fails',
  'where a row has no passing test.',
];
for (const { title, parts } of chapters) {
  lines.push('', `## ${title}`);
  for (const part of parts) lines.push('', `### ${part.title}`, '', ...table(part));
}
if (faults.length === 0) {
  writeFileSync(join(projectRoot, 'docs/conformance.md'), `${lines.join('\n')}\n`);
}
for (const fault of faults) console.error(fault);
console.log(`${shownCount} of ${rowCount} rows`);
process.exitCode = faults.length === 0 ? 0 : 1;

function table({ id, rows }: Part): readonly string[] {
  return ['| row | fact | shown by |', '|---|---|---|', ...rows.map((row) => line(id, row))];
}

function line(part: string, [key, fact, ...shownBy]: Row): string {
  const id = `${part}.${key}`;
  rowCount += 1;
  if (ids.has(id)) faults.push(`${id}: two rows have this id`);
  ids.add(id);
  const found = shownBy.map((name) => [name, findTest(name, tests)] as const);
  const wrong = found.flatMap(([name, test]) =>
    typeof test === 'string' ? [`${id}: ${test}: ${name}`] : [],
  );
  faults.push(...wrong);
  if (wrong.length === 0) shownCount += 1;
  const shown = found.map(([, test]) => (typeof test === 'string' ? '' : linkTo(test)));
  return `| ${id} | ${escape(fact)} | ${shown.join('<br>')} |`;
}

function linkTo({ path, title }: ReportedTest): string {
  const file = path.replace(/^.*\//, '').replace('.test.ts', '');
  return `[${file}](../${path}): ${escape(title)}`;
}

function runTests(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'conformance-')), 'report.json');
  try {
    execFileSync(
      'npx',
      ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile=${path}`],
      {
        cwd: projectRoot,
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
  } catch {
    // A failed test is no passing one: the rows that it was to show are named below.
  }
  return path;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
