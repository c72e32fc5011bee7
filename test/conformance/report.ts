import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { projectRoot } from '../architecture/source-files.ts';

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** One test by name; tests of one name in one file count as one. */
export interface ReportedTest {
  readonly path: string;
  readonly title: string;
  /** Passed at least once, and failed never. */
  readonly isPassed: boolean;
}

/** Reads JSON reports of vitest; the same test may stand in several of them. */
export function readReports(paths: readonly string[]): ReadonlyMap<string, ReportedTest[]> {
  const statuses = new Map<string, { path: string; title: string; seen: Set<string> }>();
  for (const path of paths) {
    const report = JSON.parse(readFileSync(path, 'utf8')) as JsonReport;
    for (const { name, assertionResults } of report.testResults) {
      const file = relative(projectRoot, name);
      for (const { title, status } of assertionResults) {
        const key = `${file} > ${title}`;
        const entry = statuses.get(key) ?? { path: file, title, seen: new Set() };
        statuses.set(key, entry);
        entry.seen.add(status);
      }
    }
  }
  const byFile = new Map<string, ReportedTest[]>();
  for (const { path, title, seen } of statuses.values()) {
    const file = basename(path).replace(/(\.prop)?\.test\.ts$/, '');
    const isPassed = seen.has('passed') && !seen.has('failed');
    byFile.set(file, [...(byFile.get(file) ?? []), { path, title, isPassed }]);
  }
  return byFile;
}

/** The one test that a row names, or what is wrong with the name. */
export function findTest(
  name: string,
  byFile: ReadonlyMap<string, readonly ReportedTest[]>,
): ReportedTest | string {
  const [file = '', ...rest] = name.split(' > ');
  const wanted = rest.join(' > ');
  const tests = byFile.get(file) ?? [];
  const exact = tests.filter(({ title }) => title === wanted);
  const found = exact.length > 0 ? exact : tests.filter(({ title }) => title.startsWith(wanted));
  const [first] = found;
  if (first === undefined || wanted === '') return 'no such test';
  if (found.length > 1) return `${found.length} tests begin so`;
  return first.isPassed ? first : 'not passed';
}
