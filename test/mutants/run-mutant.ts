import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Plugin } from 'vite';
import { faultPlugin } from '../simulation/planted/plant.ts';
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';

const judgePath = fileURLToPath(new URL('./judge.ts', import.meta.url));
/** A fault that makes the run endless is found by this limit. */
const timeoutMs = 30_000;

/** What the judge reports for the engine with the planted fault, or for the plain engine. */
export async function runMutant(mutant: Mutant | null): Promise<Verdict | null> {
  return judgeInThread(await bundle(mutant));
}

/** The judge with the engine in one piece of JavaScript. */
async function bundle(mutant: Mutant | null): Promise<string> {
  const plugins = mutant === null ? [] : [await faultIn(mutant)];
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: {
      ssr: judgePath,
      write: false,
      minify: false,
      rollupOptions: { output: { format: 'cjs' } },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result)) throw new Error('nothing was built');
  return result.output[0].code;
}

function faultIn(mutant: Mutant): Promise<Plugin> {
  return faultPlugin({ ...mutant, file: `src/engine/${mutant.file}` });
}

function judgeInThread(code: string): Promise<Verdict | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true });
    const timer = setTimeout(() => {
      resolve({ finder: 'rules', check: 'it ends', words: 'it does not end' });
      void worker.terminate();
    }, timeoutMs);
    const settle = (work: () => void): void => {
      clearTimeout(timer);
      work();
      void worker.terminate();
    };
    worker.once('message', (verdict: Verdict | null) => {
      settle(() => {
        resolve(verdict);
      });
    });
    worker.once('error', (error) => {
      settle(() => {
        reject(error);
      });
    });
  });
}
