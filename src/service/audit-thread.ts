import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { workerModule } from './worker-module.ts';

/**
 * Runs the full audit of a saved state on a separate thread.
 * @returns every rule that the state breaks, as text.
 * @throws Error if the thread ends without an answer.
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
