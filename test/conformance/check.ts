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
// running the tests if none is given, and writes docs/conformance.md, the summary by area, and
// docs/conformance-rows.md, every row. Fails, and writes nothing, if a row has no passing test, names no test or several, or if two rows have one id.

const command = new Command('conformance')
  .description('Show each row of the interface by a test that passed; write docs/conformance.md.')
  .argument('[reports...]', "vitest's JSON reports; without: all tests run first, with progress")
  .parse();

const reports = command.args;
const tests = readReports(reports.length > 0 ? reports : [runTests()]);
const faults: string[] = [];
const ids = new Set<string>();
const anchors = new Map<string, number>();
let rowCount = 0;
let shownCount = 0;

const summary = [
  '# Conformance',
  '',
  'How many facts of the interface each area has, and of what the exchange decided beyond it. Every',
  'one is shown by a test that passes; [all rows](conformance-rows.md) name it.',
  '`npm run conformance` makes both pages from a run of the tests and fails where a row has no',
  'passing test.',
];
const rows = [
  '# Conformance, row by row',
  '',
  'Every fact with the tests that show it; [the summary](conformance.md) has them by area.',
];
for (const { title, parts } of chapters) {
  summary.push('', `## ${title}`, '', '| area | rows | test files |', '|---|---|---|');
  rows.push('', `## ${title}`);
  for (const part of parts) {
    rows.push('', `### ${part.title}`, '', ...table(part));
    const area = `[${part.title}](conformance-rows.md#${anchorOf(part.title)})`;
    summary.push(`| ${area} | ${part.rows.length} | ${countFiles(part)} |`);
  }
}
summary.push('', `${rowCount} rows in all.`);
if (faults.length === 0) {
  for (const [name, lines] of Object.entries({ conformance: summary, 'conformance-rows': rows })) {
    writeFileSync(join(projectRoot, `docs/${name}.md`), `${lines.join('\n')}\n`);
  }
}
for (const fault of faults) console.error(fault);
console.log(`${shownCount} of ${rowCount} rows`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** As GitHub makes it of a heading; a later one of the same words has a number. */
function anchorOf(heading: string): string {
  const words = heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
  const before = anchors.get(words) ?? 0;
  anchors.set(words, before + 1);
  return before === 0 ? words : `${words}-${before}`;
}

function countFiles({ rows: facts }: Part): number {
  const found = facts.flatMap(([, , ...names]) => names.map((name) => findTest(name, tests)));
  return new Set(found.flatMap((test) => (typeof test === 'string' ? [] : [test.path]))).size;
}

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
