import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// What the built console weighs compressed, by its manifest.

const dist = fileURLToPath(new URL('../../console/dist/', import.meta.url));
const kilobyte = 1024;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

const sizeOf = (file: string): number => statSync(`${dist}${file}.gz`).size;

/** The files of a chunk and of all that it imports at once. */
function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const each of chunk.imports ?? []) filesOf(manifest, each, seen);
  return seen;
}

function sum(files: Iterable<string>, ending: string): number {
  return [...files].filter((file) => file.endsWith(ending)).reduce((all, f) => all + sizeOf(f), 0);
}

/** A measured figure and its budget. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly budget: number;
  readonly unit: string;
}

/** The sizes that have a budget, in KB; the console must be built. */
export function measureSizes(): readonly Figure[] {
  const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry === true) ?? '';
  const first = filesOf(manifest, entry);
  const trade = new Set([...first, ...filesOf(manifest, 'src/pages/trade.tsx')]);
  const own = (name: string): number =>
    sum(
      [...filesOf(manifest, name)].filter((file) => !first.has(file)),
      '.js',
    );
  const routes = Object.keys(manifest).filter((name) => name.startsWith('src/pages/'));
  const largest = routes.toSorted((a, b) => own(b) - own(a))[0] ?? '';
  const chart = Object.values(manifest).find(({ file }) => file.includes('lightweight-charts'));
  const all = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const row = (what: string, bytes: number, budget: number): Figure => ({
    what,
    value: bytes / kilobyte,
    budget,
    unit: 'KB',
  });
  return [
    row('first load of /trade, JS', sum(trade, '.js'), 45),
    row('first load of /trade, CSS', sum(trade, '.css'), 12),
    row('chart chunk', chart === undefined ? 0 : sizeOf(chart.file), 65),
    row(`largest other route (${largest})`, own(largest), 25),
    row('all of it', sum(all, ''), 220),
  ];
}
