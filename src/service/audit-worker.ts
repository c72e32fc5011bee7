import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../domain/assert.ts';
import { exchangeEngines } from '../engine/engine.ts';

// A thread that runs one audit: it reads every account, order and position of a saved state, which
// takes longer than any other thread could be blocked.

assert(parentPort !== null, 'the thread of an audit has a parent');
const { state } = workerData as { readonly state: Uint8Array };

function audit(): readonly string[] {
  try {
    return exchangeEngines.restore(state).findBroken();
  } catch (error) {
    // A state that this program has written and cannot read is also broken.
    return [`state-readable: ${error instanceof Error ? error.message : String(error)}`];
  }
}

parentPort.postMessage(audit());
