import { type Hex, parseTransaction } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { restoreChain } from '../../../test/support/chain/restore-chain.ts';
import { earnerOf, SettlingChain } from '../../../test/support/chain/settling-chain.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import { toHexAddress } from '../evm-values.ts';

// What becomes of a batch whose transaction no node accepts, or whose nonce something else spends:
// it is planned again, smaller if its gas was refused, and uses up no attempt.

anvilSuite('settlement refusals', () => {
  let chain: TestChain;
  let settling: SettlingChain;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  restoreChain(() => chain);
  beforeEach(async () => {
    settling = await SettlingChain.start(chain);
  });
  afterEach(async () => {
    await chain.client.setAutomine(true);
    // What is still in the pool would be mined during the next test.
    await chain.client.mine({ blocks: 1 });
  });
  afterAll(() => chain.close());

  /** Refuses calls that the rule names; a cancel, which has no data, is accepted. */
  function refuse(message: string, isRefused: (dataLength: number) => boolean): void {
    chain.proxy.setRule((method, [bytes]) => {
      if (method !== 'eth_sendRawTransaction') return null;
      const data = parseTransaction(bytes as Hex).data ?? '0x';
      if (data === '0x' || !isRefused(data.length)) return null;
      return { kind: 'refusal', code: -32_000, message };
    });
  }

  test('fault 11: a batch that nodes refuse for an unknown reason for a month is planned again each time', async () => {
    settling.settlements.earn(earnerOf(1), 5n);
    refuse('not today', () => true);
    while (settling.outcomes().filter((outcome) => outcome === 'cancelled').length < 5)
      await settling.run();
    expect(settling.attempts()).toEqual([0]);
    chain.proxy.setRule(null);
    while (!settling.outcomes().includes('succeeded')) await settling.run();
    expect(settling.attempts()).toEqual([0]);
  });

  test('refusals: a batch whose gas a node refuses is cancelled under its nonce and split', async () => {
    for (let seed = 1; seed <= 4; seed += 1) settling.settlements.earn(earnerOf(seed), 5n);
    // Two accounts fit: four bytes of selector, two offsets, two lengths, two words for each.
    const largest = 2 + 2 * (4 + 32 * (4 + 2 * 2));
    refuse('transaction gas limit too high', (length) => length > largest);
    while (settling.outcomes().filter((outcome) => outcome === 'succeeded').length < 2)
      await settling.run();
    expect(settling.outcomes()).toEqual(['cancelled', 'succeeded', 'succeeded']);
    expect(settling.attempts()).toEqual([0, 0, 0, 0]);
  });

  test('fault 14: a batch whose nonce the key spends elsewhere is displaced and planned again', async () => {
    await chain.client.setAutomine(false);
    settling.settlements.earn(earnerOf(1), 5n);
    await settling.run();
    const [hash] = settling.transactions.transactions[0]?.versions.map((each) => each.hash) ?? [];
    await chain.client.dropTransaction({ hash: hash ?? '0x' });
    await chain.client.setAutomine(true);
    const sender = toHexAddress(chain.signer.address);
    await chain.client.impersonateAccount({ address: sender });
    const sent = { account: sender, to: sender, value: 0n, chain: null } as const;
    await chain.client.sendTransaction(sent);
    while (!settling.outcomes().includes('succeeded')) await settling.run();
    expect(settling.outcomes()).toEqual(['displaced', 'succeeded']);
    expect(settling.attempts()).toEqual([0]);
  });
});
