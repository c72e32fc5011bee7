import type { NodeTroubles } from './chain-view.ts';
import type { Fault, Faulty } from './faults.ts';
import type { Machine } from './machine.ts';

const forkMax = 3;
const deepForkMax = 12;
const lagMax = 20;

/** Begins a fault of the chain or of a node; returns a function that ends it. */
export function beginChain(
  { chain }: Faulty,
  { kind, strength }: Fault,
  machine: Machine,
): () => void {
  if (chain === null) return () => undefined;
  const { model } = chain;
  if (kind === 'payments-revert') {
    model.isPaying = false;
    return () => {
      model.isPaying = true;
    };
  }
  // With several providers one of them lies, always the same.
  const { troubles } = kind === 'node-lies' ? chain.liar : chain.viewOf(machine);
  if (kind === 'node-lies') troubles.lies = chain.usesQuorum ? strength : 0;
  if (kind === 'chain-fork') troubles.branch = model.fork(1 + Math.floor(strength * forkMax));
  if (kind === 'deep-fork') {
    troubles.branch = model.fork(forkMax + Math.ceil(strength * (deepForkMax - forkMax)));
  }
  if (kind === 'node-down') troubles.isDown = true;
  if (kind === 'node-late') troubles.lag = 1 + Math.floor(strength * lagMax);
  if (kind === 'node-withholds') troubles.withholds = strength;
  return () => healNode(troubles);
}

export function healNode(troubles: NodeTroubles): void {
  Object.assign(troubles, { isDown: false, lag: 0, branch: [], withholds: 0, lies: 0 });
}
