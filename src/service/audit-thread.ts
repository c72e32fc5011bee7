import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerModule } from './worker-module.ts';

/**
 * The full audit of a saved state, on a thread of its own.
 * @returns every rule that the state breaks, in words.
 * @throws Error where the thread ends without an answer.
 */
export async function auditState(state: Uint8Array): Promise<readonly string[]> {
  const { entry, module } = workerModule('audit-worker');
  const worker = new Worker(entry, {
    workerData: { module: module.href, state },
    name: 'audit',
    execArgv: [],
  });
  try {
    const [broken] = (await once(worker, 'message')) as [readonly string[]];
    return broken;
  } finally {
    await worker.terminate();
  }
}
