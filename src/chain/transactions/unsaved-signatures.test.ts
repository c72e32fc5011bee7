import { type Hex, recoverTypedDataAddress } from 'viem';
import { setSignEntropy } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { MemoryTransactionStore } from '../../../test/support/chain/memory-transaction-store.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { createLogger } from '../../observability/log.ts';
import { fromHexAddress } from '../evm-values.ts';
import { settlementCall } from '../settlement/settlement-call.ts';
import { createLocalSigner } from '../signers/local-signer.ts';
import { rewardTypedData } from '../typed-data.ts';
import { TransactionManager } from './transaction-manager.ts';

// The process ends after something was signed and before it was saved, with keys that never sign the
// same thing with the same bytes.

const account = '0x00000000000000000000000000000000000000a1' as Address;

// Later test files of the same worker share viem's setting; no bytes of entropy are none at all.
beforeAll(() => setSignEntropy(true));
afterAll(() => setSignEntropy('0x'));

test('fault 16: a voucher whose signature was lost is signed again, with other bytes, equally good', async () => {
  const signer = createLocalSigner(`0x${'5c'.repeat(32)}`);
  const domain = { name: 'ReferralRewardRouter', chainId: 1, verifyingContract: account };
  const voucher = { account, value: 10n, nonce: 0n, deadline: 2_000_000_000n };
  const lost = await signer.signReward(domain, voucher);
  const again = await signer.signReward(domain, voucher);
  expect(again).not.toBe(lost);
  for (const signature of [lost, again]) {
    const data = { ...rewardTypedData(domain, voucher), signature };
    expect(fromHexAddress(await recoverTypedDataAddress(data))).toBe(signer.address);
  }
});

anvilSuite('signatures that were never saved', () => {
  let chain: TestChain;
  beforeEach(async () => {
    chain = await startTestChain();
  });
  afterEach(() => chain.close());

  test('fault 16: bytes that were signed but not saved are never sent; the nonce is used for new ones', async () => {
    const store = new MemoryTransactionStore();
    const signed: Hex[] = [];
    const sent: unknown[] = [];
    chain.proxy.setRule((method, params) => {
      if (method === 'eth_sendRawTransaction') sent.push((params as unknown[])[0]);
      return null;
    });
    const newManager = () =>
      new TransactionManager({
        node: chain.node,
        signer: {
          ...chain.signer,
          signTransaction: async (chainId, draft) => {
            const made = await chain.signer.signTransaction(chainId, draft);
            signed.push(made.bytes);
            return made;
          },
        },
        chainId: chain.chainId,
        store,
        policy: { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax: 10n ** 12n },
        now: () => 1_000_000,
        log: createLogger('silent'),
      });
    const request = {
      purpose: 'settlement',
      reference: '1',
      to: chain.contracts.rewardRouter,
      data: settlementCall([{ account, total: toMicroUsdt(5n) }]),
      gasLimit: 200_000n,
    } as const;
    const insert = store.insert.bind(store);
    store.insert = () => Promise.reject(new Error('the process ends here'));
    await expect(newManager().submit(request)).rejects.toThrow('ends here');
    expect([signed.length, sent]).toEqual([1, []]);
    store.insert = insert;
    await newManager().submit(request);
    const [first, second] = signed;
    expect(second).not.toBe(first);
    expect(sent).toEqual([second]);
    expect(store.transactions).toMatchObject([{ nonce: 0, versions: [{ bytes: second }] }]);
  });
});
