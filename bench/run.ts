import { readdir } from 'node:fs/promises';
import '../tools/engine-inlining.mjs';
import type { Benchmark } from './benchmark.ts';

// npm run bench -- <name> [options]: runs one benchmark and ends with one JSON line.

const folder = new URL('./benchmarks/', import.meta.url);

async function main(): Promise<void> {
  const [name, ...options] = process.argv.slice(2);
  const names = (await readdir(folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  if (name === undefined || name === '--list' || name === '--help') {
    console.log(
      'npm run bench -- <name> [options]: one benchmark, which ends with one JSON line.\n',
    );
    for (const each of names) console.log(`${each}: ${(await load(each)).summary}`);
    return;
  }
  if (!names.includes(name)) {
    throw new Error(`no benchmark ${name}; there are ${names.join(', ')}`);
  }
  const result = await (await load(name)).run(options);
  const ratio = Number((result.ours / result.peer).toPrecision(3));
  console.log(JSON.stringify({ ...result, ratio }));
}

async function load(name: string): Promise<Benchmark> {
  const module = (await import(new URL(`${name}.ts`, folder).href)) as { benchmark: Benchmark };
  return module.benchmark;
}

await main();
