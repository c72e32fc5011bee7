import { afterEach, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import type { Fault } from '../support/chain/fault-proxy.ts';
import { type Earner, RewardStack } from '../support/claims/reward-stack.ts';

// What networks and nodes do, at every single call between service and node: nothing is paid or
// counted twice, and once the fault is gone everything catches up.

// A lost answer is the one that could do something twice, so it meets every call; the others meet
// every third one, and the slow one every sixth.
const strides: Readonly<Record<string, number>> = { 'a lost answer': 1, silence: 6 };

const faults: Readonly<Record<string, Fault>> = {
  'a 500': { kind: 'status', status: 500 },
  'a lost answer': { kind: 'lostAnswer' },
  'half an answer': { kind: 'cut' },
  silence: { kind: 'silence' },
  'an empty success': { kind: 'success' },
};

anvilSuite('reward faults', () => {
  let stack: RewardStack;
  let earner: Earner;
  beforeEach(async () => {
    // Several silences have to time out.
    stack = await RewardStack.start({ timeoutMs: 2_000 });
    earner = await stack.nextEarner();
  });
  afterEach(() => stack.close());

  /** Puts a fault at the call of that number; returns whether there was such a call. */
  function faultAt(number: number, fault: Fault): () => boolean {
    let calls = 0;
    stack.chain.proxy.setRule(() => {
      calls += 1;
      return calls === number ? fault : null;
    });
    return () => calls >= number;
  }

  for (const [name, fault] of Object.entries(faults)) {
    test(`faults: ${name} at any call of a settlement delays it and nothing else`, async () => {
      await stack.work();
      let faultsMet = 0;
      for (let number = 1; ; number += strides[name] ?? 3) {
        await stack.earn(earner, 1_000_001n);
        const wasMet = faultAt(number, fault);
        await stack.work();
        stack.chain.proxy.setRule(null);
        await stack.checkBooks();
        if (!wasMet()) break;
        faultsMet += 1;
      }
      expect(faultsMet).toBeGreaterThan(2);
      await stack.calmDown();
      await stack.checkRest();
    });
  }

  test('faults: at any call of a claim there is an order with its signature, or none', async () => {
    await stack.earn(earner, 500_000_000n);
    await stack.calmDown();
    const kinds = Object.values(faults);
    for (let number = 1; number <= 3; number += 1) {
      for (const fault of kinds) {
        faultAt(number, fault);
        const outcome = await stack.claim(earner).catch(() => null);
        stack.chain.proxy.setRule(null);
        const open = (await stack.listClaims(earner)).filter((each) => each.endsWith('processing'));
        expect(open.length).toBe(outcome === null ? 0 : 1);
        if (outcome?.kind === 'done') {
          await stack.redeem(earner, outcome.value);
          await stack.earn(earner, 20_000_000n);
          await stack.calmDown();
        }
        await stack.checkBooks();
      }
    }
    await stack.calmDown();
    await stack.checkRest();
  });

  test('faults: a node that lags, omits logs, or drops transactions does no lasting harm', async () => {
    let head: unknown = null;
    const lies: Readonly<Record<string, (truth: unknown) => unknown>> = {
      eth_getBlockByNumber: (truth) => (head ??= truth),
      eth_getLogs: () => [],
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => null,
      eth_getTransactionCount: () => '0x0',
      eth_getBlockReceipts: () => [],
    };
    await stack.work();
    for (const [method, result] of Object.entries(lies)) {
      await stack.earn(earner, 12_000_000n);
      stack.chain.proxy.setRule((asked) => (asked === method ? { kind: 'lie', result } : null));
      await stack.work();
      await stack.work();
      await stack.checkBooks();
      await stack.calmDown();
      await stack.checkRest();
      const order = await stack.claimed(earner);
      await stack.redeem(earner, order);
      stack.chain.proxy.setRule((asked) => (asked === method ? { kind: 'lie', result } : null));
      await stack.work();
      await stack.checkBooks();
      await stack.calmDown();
      await stack.checkRest();
    }
    const claims = await stack.listClaims(earner);
    expect(claims).toEqual(Array(Object.keys(lies).length).fill('12000000 success'));
  });
});
