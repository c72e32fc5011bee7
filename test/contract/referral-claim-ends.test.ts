import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { ClaimService } from '../support/claims/claim-service.ts';
import { fakeRouter } from '../support/claims/fake-reward-chain.ts';
import { error, invalid } from '../support/plain-replies.ts';
import { anyText, expectOk, nextAddress, outcomeOf, textLike } from '../support/spot-fixtures.ts';

// Signatures without an order, lost signatures, failed claims and their retry, in the words of
// interface.md and contract.md sections 4 and 12.

let claims: ClaimService;

beforeAll(async () => {
  claims = await ClaimService.start();
});
afterAll(() => claims.close());

interface SignedClaim {
  readonly claim_no: string;
  readonly amount: string;
  readonly nonce: number;
  readonly deadline: number;
  readonly signature: string;
  readonly contract_address: string;
}

const claim = async (as: Address) =>
  (await expectOk(claims.referral.post(as, 'claim'))) as SignedClaim;
const signature = (as: Address, claimNo: string) =>
  outcomeOf(claims.referral.get(as, `claims/${claimNo}/signature`));
const sign = (as: Address, body: unknown) =>
  outcomeOf(claims.referral.post(as, 'on-chain/claim-signature', body));
const retry = (claimNo: string) =>
  outcomeOf(
    claims.service.call({
      method: 'POST',
      path: `/api/v1/admin/referral/claims/${claimNo}/retry`,
      isAdmin: true,
    }),
  );
const listOf = async (as: Address) =>
  ((await expectOk(claims.referral.get(as, 'claims'))) as { items: Record<string, unknown>[] })
    .items;
const claimable = async (as: Address) =>
  ((await expectOk(claims.referral.get(as, 'claims/preview'))) as { claimable: string }).claimable;

/** An earner whose order has expired on chain. */
async function nextFailed(amount: bigint): Promise<{ earner: Address; order: SignedClaim }> {
  const earner = await claims.nextEarner(amount);
  await claims.settleAll();
  const order = await claim(earner);
  await claims.count([], order.deadline + 1);
  return { earner, order };
}

describe('GET /api/v1/referral/claims/:claim_no/signature', () => {
  test('signature: the open order returns the same signature again', async () => {
    const earner = await claims.nextEarner(15_000_000n);
    await claims.settleAll();
    const order = await claim(earner);
    expect(await signature(earner, order.claim_no)).toEqual({
      status: 200,
      body: {
        amount: '15000000',
        nonce: order.nonce,
        deadline: order.deadline,
        signature: order.signature,
        contract_address: fakeRouter,
      },
    });
  });

  test("signature: absent and another account's are CLAIM_NOT_FOUND", async () => {
    const earner = await claims.nextEarner(15_000_000n);
    await claims.settleAll();
    const { claim_no: claimNo } = await claim(earner);
    const notFound = error(404, 'CLAIM_NOT_FOUND');
    expect(await signature(nextAddress(), claimNo)).toEqual(notFound);
    expect(await signature(earner, 'CLM-20260105-K7M2QX9TRA')).toEqual(notFound);
    expect(await signature(earner, 'nonsense%01')).toEqual(notFound);
  });

  test('signature: a finished order is CLAIM_NOT_PROCESSING', async () => {
    const earner = await claims.nextEarner(15_000_000n);
    await claims.settleAll();
    const { claim_no: claimNo } = await claim(earner);
    await claims.redeem(earner, 15_000_000n);
    expect(await signature(earner, claimNo)).toEqual(error(409, 'CLAIM_NOT_PROCESSING'));
  });

  test('signature: SIGNATURE_ERROR while signing is off', async () => {
    const earner = await claims.nextEarner(15_000_000n);
    await claims.settleAll();
    const { claim_no: claimNo } = await claim(earner);
    claims.chain.isSigningOff = true;
    expect(await signature(earner, claimNo)).toEqual(error(500, 'SIGNATURE_ERROR'));
    claims.chain.isSigningOff = false;
  });
});

describe('POST /api/v1/referral/on-chain/claim-signature', () => {
  test('claim-signature: signs every positive amount, without an order or a check of the balance', async () => {
    const stranger = nextAddress();
    expect(await sign(stranger, { amount: '1234567.000001' })).toEqual({
      status: 200,
      body: {
        amount: '1234567000001',
        nonce: 0,
        deadline: expect.any(Number) as number,
        signature: textLike(/^0x[0-9a-f]{64}$/),
        contract_address: fakeRouter,
      },
    });
    expect(await sign(stranger, { amount: 2.5 })).toMatchObject({ body: { amount: '2500000' } });
    expect(await listOf(stranger)).toEqual([]);
    const { rows } = await claims.service.query((db) =>
      sql`SELECT amount, nonce FROM reward_vouchers JOIN accounts USING (account_id)
          WHERE address = ${stranger} ORDER BY id`.execute(db),
    );
    expect(rows).toEqual([
      { amount: '1234567.000001', nonce: '0' },
      { amount: '2.5', nonce: '0' },
    ]);
  });

  test('claim-signature: INVALID_AMOUNT for what is malformed, too fine or not above zero', async () => {
    const stranger = nextAddress();
    const wrong = [
      '',
      ' ',
      '0',
      '0.0',
      '-1',
      '+1',
      '1e3',
      '0x10',
      'NaN',
      'Infinity',
      '01',
      '.5',
      '5.',
      '1.0000001',
      '1'.repeat(31),
      '1,5',
      null,
      true,
      [],
      {},
      0,
      -3,
      1.0000001,
    ];
    for (const amount of wrong) {
      const outcome = { amount, ...(await sign(stranger, { amount })) };
      expect(outcome).toEqual({ amount, ...error(400, 'INVALID_AMOUNT') });
    }
    expect(await sign(stranger, {})).toEqual(error(400, 'INVALID_AMOUNT'));
    expect(await sign(stranger, { amount: '1', to: 'x' })).toEqual(invalid('to: unknown field'));
  });

  test('claim-signature: the amount is checked before the chain is queried', async () => {
    claims.chain.isChainDown = true;
    expect(await sign(nextAddress(), { amount: '0' })).toEqual(error(400, 'INVALID_AMOUNT'));
    expect(await sign(nextAddress(), { amount: '1' })).toEqual(error(500, 'SIGNATURE_ERROR'));
    claims.chain.isChainDown = false;
    claims.isClaimStoreDown = true;
    expect(await sign(nextAddress(), { amount: '1' })).toEqual(error(500, 'SIGNATURE_ERROR'));
    claims.isClaimStoreDown = false;
  });

  test('claim-signature: its redemption is a separate claim and takes the oldest commission, splitting the last', async () => {
    const earner = await claims.nextEarner(4_000_000n, 5_000_000n, 6_000_000n);
    await claims.settleAll();
    const hash = await claims.redeem(earner, 7_000_000n);
    expect(await listOf(earner)).toMatchObject([
      { amount: '7', status: 'success', tx_hash: hash, failure_reason: null },
    ]);
    expect(await claimable(earner)).toBe('8');
    const { rows } = await claims.service.query((db) =>
      sql`SELECT earning.commission, earning.status FROM referral_earnings AS earning
          JOIN accounts ON account_id = beneficiary_id
          WHERE address = ${earner} ORDER BY place, part DESC`.execute(db),
    );
    expect(rows).toEqual([
      { commission: '4', status: 'claimed' },
      { commission: '3', status: 'claimed' },
      { commission: '2', status: 'pending' },
      { commission: '6', status: 'pending' },
    ]);
  });
});

describe('failed claims', () => {
  test('failed: SIGNATURE_EXPIRED by a confirmed block later than the deadline; claimable again', async () => {
    const earner = await claims.nextEarner(15_000_000n);
    await claims.settleAll();
    const order = await claim(earner);
    await claims.count([], order.deadline);
    expect(await listOf(earner)).toMatchObject([{ status: 'processing' }]);
    await claims.count([], order.deadline + 1);
    expect(await listOf(earner)).toEqual([
      {
        claim_no: order.claim_no,
        amount: '15',
        status: 'failed',
        tx_hash: null,
        failure_reason: 'SIGNATURE_EXPIRED',
        applied_at: anyText,
        finished_at: null,
      },
    ]);
    expect(await claimable(earner)).toBe('15');
    expect(await signature(earner, order.claim_no)).toEqual(error(409, 'CLAIM_NOT_PROCESSING'));
    expect((await claim(earner)).amount).toBe('15000000');
  });

  test('fault 28: while an event of the vault waits, the order for commission succeeds, or expires', async () => {
    const [paid, late] = [
      await claims.nextEarner(15_000_000n),
      await claims.nextEarner(15_000_000n),
    ];
    await claims.settleAll();
    await claim(paid);
    const order = await claim(late);
    const release = {
      type: 'vaultReleased',
      token: nextAddress(),
      rawAmount: 1n,
      nonce: 0,
    } as const;
    const waiting = [paid, late].map((account, logIndex) => {
      const transactionHash = `0x${'ab'.repeat(32)}` as const;
      return { ...release, account, transactionHash, logIndex };
    });
    // The block is counted, and its events wait.
    await expect(claims.count(waiting)).rejects.toThrow('release_not_signed');
    await claims.redeem(paid, 15_000_000n);
    expect(await listOf(paid)).toMatchObject([{ status: 'success' }]);
    await claims.count([], order.deadline + 1);
    expect(await listOf(late)).toMatchObject([{ failure_reason: 'SIGNATURE_EXPIRED' }]);
  });

  test('failed: NONCE_USED if another redemption used the nonce; the rest is claimable', async () => {
    const earner = await claims.nextEarner(15_000_000n);
    await claims.settleAll();
    const order = await claim(earner);
    await claims.redeem(earner, 3_000_000n);
    expect(await listOf(earner)).toMatchObject([
      { amount: '3', status: 'success' },
      { claim_no: order.claim_no, status: 'failed', failure_reason: 'NONCE_USED' },
    ]);
    expect(await claimable(earner)).toBe('12');
    expect(await claim(earner)).toMatchObject({ amount: '12000000', nonce: 1 });
  });
});

describe('POST /api/v1/admin/referral/claims/:claim_no/retry', () => {
  test('retry: the same order and amount with a fresh nonce, deadline and signature', async () => {
    const { earner, order } = await nextFailed(15_000_000n);
    await claims.earn(earner, 2_000_000n);
    await claims.settleAll();
    const retried = await retry(order.claim_no);
    expect(retried).toEqual({
      status: 200,
      body: {
        ok: true,
        success: true,
        claim_no: order.claim_no,
        status: 'processing',
        amount: '15000000',
        nonce: 0,
        deadline: expect.any(Number) as number,
        signature: textLike(/^0x[0-9a-f]{64}$/),
        contract_address: fakeRouter,
        message: textLike(/redeemReward/),
      },
    });
    const again = (await signature(earner, order.claim_no)).body as SignedClaim;
    expect(again.signature).toBe((retried.body as SignedClaim).signature);
    expect(await listOf(earner)).toMatchObject([{ status: 'processing', failure_reason: null }]);
    await claims.redeem(earner, 15_000_000n);
    expect(await listOf(earner)).toMatchObject([{ status: 'success', amount: '15' }]);
    expect(await claimable(earner)).toBe('2');
  });

  test('retry: leaves an audit row', async () => {
    const { order } = await nextFailed(15_000_000n);
    await retry(order.claim_no);
    const { rows } = await claims.service.query((db) =>
      sql`SELECT action, admin_actor, detail->>'claim_no' AS claim_no FROM admin_audit
          WHERE detail->>'claim_no' = ${order.claim_no}`.execute(db),
    );
    expect(rows).toEqual([
      { action: 'retry_claim', admin_actor: 'admin_api_key', claim_no: order.claim_no },
    ]);
  });

  test('retry: CLAIM_NOT_FOUND, CLAIM_NOT_FAILED', async () => {
    expect(await retry('CLM-20260105-K7M2QX9TRA')).toEqual(error(404, 'CLAIM_NOT_FOUND'));
    const earner = await claims.nextEarner(15_000_000n);
    await claims.settleAll();
    const { claim_no: claimNo } = await claim(earner);
    expect(await retry(claimNo)).toEqual(error(409, 'CLAIM_NOT_FAILED'));
  });

  test("retry: POST claim's own errors", async () => {
    const { earner, order } = await nextFailed(15_000_000n);
    claims.chain.isSigningOff = true;
    expect(await retry(order.claim_no)).toEqual(error(500, 'SIGNATURE_ERROR'));
    claims.chain.isSigningOff = false;
    claims.isClaimStoreDown = true;
    expect(await retry(order.claim_no)).toEqual(error(500, 'CLAIM_PERSIST_ERROR'));
    claims.isClaimStoreDown = false;
    expect(await listOf(earner)).toMatchObject([{ status: 'failed' }]);
    const second = await claim(earner);
    expect(await retry(order.claim_no)).toEqual(error(409, 'CLAIM_ALREADY_PROCESSING'));
    await claims.redeem(earner, BigInt(second.amount));
    expect(await retry(order.claim_no)).toEqual(error(400, 'NO_CLAIMABLE'));
  });

  test('retry: without the key 401, even with a token', async () => {
    const path = '/api/v1/admin/referral/claims/CLM-20260105-K7M2QX9TRA/retry';
    const call = { method: 'POST', path, as: nextAddress() } as const;
    expect(await outcomeOf(claims.service.call(call))).toEqual(error(401, 'UNAUTHORIZED'));
  });
});

describe('GET /api/v1/admin/referral/claims', () => {
  test('all claims: failed ones included, by status, newest first', async () => {
    const { earner, order } = await nextFailed(15_000_000n);
    const path = '/api/v1/admin/referral/claims';
    const all = (query: Record<string, string>) =>
      expectOk(claims.service.call({ path, query, isAdmin: true })) as Promise<{
        items: Record<string, unknown>[];
        total: number;
      }>;
    const newest = { page: '1', page_size: '1' };
    expect(await all({ status: 'failed', ...newest })).toMatchObject({
      items: [
        {
          claim_no: order.claim_no,
          address: earner,
          amount: '15',
          nonce: 0,
          deadline: order.deadline,
          status: 'failed',
          failure_reason: 'SIGNATURE_EXPIRED',
        },
      ],
      page: 1,
      page_size: 1,
    });
    const total = (await all(newest)).total;
    const parts = await Promise.all(
      ['processing', 'success', 'failed'].map(async (status) => (await all({ status })).total),
    );
    expect(parts.reduce((sum, part) => sum + part)).toBe(total);
    const unknown = claims.service.call({ path, query: { status: 'open' }, isAdmin: true });
    expect(await outcomeOf(unknown)).toEqual(invalid());
    expect(await outcomeOf(claims.service.call({ path }))).toEqual(error(401, 'UNAUTHORIZED'));
  });
});
