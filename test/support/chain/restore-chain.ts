import type { Hex } from 'viem';
import { afterEach, beforeEach } from 'vitest';
import type { TestChain } from './test-chain.ts';

/** Begins every test of the suite with the chain as it is, and with a connection that works. */
export function restoreChain(chain: () => TestChain): void {
  let state: Hex;
  beforeEach(async () => {
    state = await chain().client.snapshot();
  });
  afterEach(async () => {
    chain().proxy.setRule(null);
    await chain().client.revert({ id: state });
  });
}
