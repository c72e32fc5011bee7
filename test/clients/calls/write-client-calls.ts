import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectRoot } from '../../architecture/source-files.ts';
import type { CallReport, Dialect, Outcome } from './client-calls.ts';

// npm run docs:clients -- report.json ...: writes what each client's methods came to, as the tests
// of test/clients/all-calls.test.ts and streams.test.ts have put it into vitest's JSON reports, into
// docs/clients.md.
// Fails, and writes nothing, if a client or a dialect is missing.

const clients = [
  'ccxt',
  'binance',
  '@binance/derivatives-trading-usds-futures',
  'binance-api-node',
  'node-binance-api',
];
const dialects: readonly Dialect[] = ['interface', 'binance'];
const section = /(<!-- calls -->\n)[\s\S]*?(<!-- end of calls -->)/;

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly meta?: { readonly clientCalls?: CallReport } }[];
  }[];
}

const command = new Command('docs:clients')
  .description('Write what the calls of each client came to into docs/clients.md.')
  .argument('<reports...>', "vitest's JSON reports")
  .parse();

const found = command.args.flatMap((path) => {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ meta }) => meta?.clientCalls ?? []),
  );
});

const parts = clients.map(describe);
const path = join(projectRoot, 'docs/clients.md');
const text = readFileSync(path, 'utf8');
if (!section.test(text)) throw new Error('docs/clients.md has no section for the calls');
writeFileSync(
  path,
  text.replace(
    section,
    (_all, begin: string, end: string) => `${begin}\n${parts.join('\n')}\n${end}`,
  ),
);

function describe(client: string): string {
  const { version } = createRequire(import.meta.url)(
    join(projectRoot, 'node_modules', client, 'package.json'),
  ) as { readonly version: string };
  const rows = dialects.flatMap((dialect) => {
    const reports = found.filter((each) => each.client === client && each.dialect === dialect);
    if (reports.length === 0) throw new Error(`no report of ${client} under ${dialect}`);
    return [...byOutcome(reports)].map(
      ([outcome, methods]) =>
        `| ${dialect} | ${outcome} | ${methods.length} | ${methods.join(', ')} |`,
    );
  });
  return [
    `### ${client} ${version}`,
    '',
    '| dialect | outcome | methods | which |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** What works first, what is not offered last. */
function byOutcome(reports: readonly CallReport[]): ReadonlyMap<Outcome, readonly string[]> {
  const groups = new Map<Outcome, string[]>();
  const outcomes = reports.flatMap((report) => Object.entries(report.outcomes)).sort();
  for (const [method, outcome] of outcomes) {
    groups.set(outcome, [...(groups.get(outcome) ?? []), `\`${method}\``]);
  }
  const rank = (outcome: Outcome): number =>
    outcome === 'works' ? 0 : outcome === 'not offered' ? 2 : 1;
  return new Map(
    [...groups].sort(([left], [right]) => rank(left) - rank(right) || left.localeCompare(right)),
  );
}
