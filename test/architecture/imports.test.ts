import { expect, test } from 'vitest';
import { importsOf, listSourceFiles, type SourceFile } from './source-files.ts';

// Who may import whom. A folder may always import itself; the composition root in `service`, and the
// programs beside it, may import everything, and nobody imports them.
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  engine: ['domain'],
  programs: ['domain'],
  application: ['programs', 'engine', 'domain'],
  gateway: ['application', 'domain', 'observability'],
  jobs: ['application', 'domain', 'observability'],
  sequencer: [
    'application/ports/',
    'journal',
    'engine',
    'programs',
    'domain',
    'observability',
    'system',
  ],
  journal: ['application/ports/', 'engine', 'programs', 'domain', 'observability', 'system'],
  cluster: [
    'application/ports/',
    'sequencer',
    'journal',
    'engine',
    'domain',
    'observability',
    'system',
  ],
  database: ['application', 'engine', 'programs', 'domain', 'observability', 'system'],
  chain: ['application', 'engine', 'programs', 'domain', 'observability', 'system'],
  config: ['domain/decimal'],
  observability: [],
  system: [],
  terminal: ['config'],
  // Separate programs that talk to a running service, or use its public use cases.
  replay: ['domain', 'client'],
  signer: ['config'],
  approve: ['application', 'client', 'config', 'domain'],
  'cluster-trial': [
    'cluster',
    'config',
    'database',
    'domain',
    'journal',
    'observability',
    'system',
  ],
  demo: ['application', 'domain', 'client'],
  client: ['domain'],
};
const compositionRoot = 'service';

const pureFolders = ['src/domain/', 'src/engine/', 'src/programs/'];
const isTest = (file: SourceFile): boolean => /\.test\.ts$/.test(file.path);
const sources = listSourceFiles('src');
const product = sources.filter((file) => !isTest(file));

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function isAllowed(from: string, target: string): boolean {
  const folder = folderOf(target);
  if (from === folder) return true;
  return (mayImport[from] ?? []).some(
    (allowed) => allowed === folder || target.startsWith(`src/${allowed}`),
  );
}

test('imports: every folder of src has a rule', () => {
  const folders = new Set(
    product
      .map((file) => file.path)
      .filter((path) => path.split('/').length > 2)
      .map(folderOf),
  );
  const known = [...Object.keys(mayImport), compositionRoot];
  expect([...folders].filter((folder) => !known.includes(folder))).toEqual([]);
});

test('imports: each folder imports only what its rule allows', () => {
  const broken = product
    .filter((file) => file.path.split('/').length > 2 && folderOf(file.path) !== compositionRoot)
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith('src/') && !isAllowed(folderOf(file.path), target))
        .map((target) => `${file.path} imports ${target}`),
    );
  expect(broken).toEqual([]);
});

test('imports: application takes only types from the engine', () => {
  const broken = product
    .filter((file) => file.path.startsWith('src/application/'))
    .flatMap((file) =>
      file.text
        .split('\n')
        .filter((line) => /^import (?!type)[^;]*engine\//.test(line))
        .map((line) => `${file.path}: ${line}`),
    );
  expect(broken).toEqual([]);
});

test('imports: no file only passes on what another one exports', () => {
  const passing = product.filter(({ text }) => {
    const statements = code(text)
      .split(/;\n/)
      .map((each) => each.trim());
    return statements.every((each) => each === '' || /^(im|ex)port\b[^=()]*\bfrom ''$/.test(each));
  });
  expect(passing.map((file) => file.path)).toEqual([]);
});

test('imports: pure folders import no module from outside', () => {
  const broken = product
    .filter((file) => pureFolders.some((folder) => file.path.startsWith(folder)))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('src/'))
        .map((target) => `${file.path} imports ${target}`),
    );
  expect(broken).toEqual([]);
});

test('imports: nothing outside config reads the environment', () => {
  const broken = product.filter(
    (file) => file.text.includes('process.env') && !file.path.startsWith('src/config/'),
  );
  expect(broken.map((file) => file.path)).toEqual([]);
});

test('imports: no files import each other in a circle', () => {
  const files = [
    ...product,
    ...listSourceFiles('console/src'),
    ...listSourceFiles('console/src', '.tsx'),
    ...listSourceFiles('packages/client/src'),
    ...listSourceFiles('bench'),
  ].filter((file) => !isTest(file));
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  expect(importCircles(imports)).toEqual([]);
});

/** Walks the imports of each file, and returns the paths that lead back to a file. */
function importCircles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const circles: string[] = [];
  const finished = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): void => {
    const at = way.indexOf(path);
    if (at >= 0) circles.push([...way.slice(at), path].join(' -> '));
    if (at >= 0 || finished.has(path)) return;
    way.push(path);
    for (const target of imports.get(path) ?? []) visit(target);
    way.pop();
    finished.add(path);
  };
  for (const path of imports.keys()) visit(path);
  return circles;
}

test('imports: a circle of files is found', () => {
  const imports = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', ['b']],
  ]);
  expect(importCircles(imports)).toEqual(['b -> d -> b']);
});

// Names whose use would make a replay differ from the first run, or money inexact.
const impure = [
  /\bDate\b/,
  /\bMath\.random\b/,
  /\bperformance\b/,
  /\bsetTimeout\b/,
  /\bsetInterval\b/,
  /\bsetImmediate\b/,
  /\bqueueMicrotask\b/,
  /\bprocess\b\./,
  /\bcrypto\b/,
  /\bfetch\(/,
  /\bparseFloat\b/,
  /\.toFixed\(/,
  /\basync\b/,
  /\bawait\b/,
  /\blocaleCompare\b/,
  /\bIntl\b/,
  /\bWeakRef\b/,
  /\bfor \(const \w+ in /,
];

const code = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'[^'\n]*'/g, "''")
    .replace(/`[^`]*`/g, '``');

test('purity: domain, engine and programs use no clock, randomness, timer or float format', () => {
  const broken = product
    .filter((file) => pureFolders.some((folder) => file.path.startsWith(folder)))
    .flatMap((file) =>
      impure
        .filter((pattern) => pattern.test(code(file.text)))
        .map((pattern) => `${file.path} uses ${String(pattern)}`),
    );
  expect(broken).toEqual([]);
});

// What a simulation cannot decide: all of it comes through the ports Time and RandomSource.
const simulatedFolders = [
  'src/sequencer/',
  'src/journal/',
  'src/cluster/',
  'src/database/projector/',
  'src/chain/node/quorum/',
];
const machineNames = [
  /\bDate\b/,
  /\bMath\.random\b/,
  /\bperformance\b/,
  /\b(set|clear)(Timeout|Interval|Immediate)\b/,
  /\bqueueMicrotask\b/,
  /\bnextTick\b/,
  /\brandom(Bytes|UUID|Int|FillSync)\b/,
  /\bAtomics\.waitAsync\b/,
];
/** Files below the seams, with what each may use; a name that is no longer used fails, too. */
const belowSeams: Readonly<Record<string, readonly string[]>> = {
  // Notifies another thread.
  'src/sequencer/durable-signal.ts': [String(machineNames[7])],
  // Below BatchStore: only a database has notifications.
  'src/database/projector/position-watch.ts': [String(machineNames[3])],
};

test('seams: sequencer, journal, cluster, projector and quorum take time and random values from their ports', () => {
  const found = product
    .filter((file) => simulatedFolders.some((folder) => file.path.startsWith(folder)))
    .flatMap((file) => {
      const text = code(file.text);
      const names = machineNames.filter((name) => name.test(text)).map(String);
      if (/from 'node:timers/.test(file.text)) names.push('node:timers');
      return names.map((name) => [file.path, name]);
    });
  const allowed = Object.entries(belowSeams).flatMap(([path, names]) =>
    names.map((name) => [path, name]),
  );
  expect(found.sort()).toEqual(allowed.sort());
});
