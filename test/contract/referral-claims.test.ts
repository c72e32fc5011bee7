import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { ClaimService } from '../support/claims/claim-service.ts';
import { fakeRouter } from '../support/claims/fake-reward-chain.ts';
import { error, invalid } from '../support/plain-replies.ts';
import { anyText, expectOk, nextAddress, outcomeOf, textLike } from '../support/spot-fixtures.ts';

// Preview, claim and list, in the words of interface.md and contract.md sections 4 and 12.

let claims: ClaimService;

beforeAll(async () => {
  claims = await ClaimService.start();
});
afterAll(() => claims.close());

const preview = (as: Address) => expectOk(claims.referral.get(as, 'claims/preview'));
const claim = (as: Address, body: unknown = {}) =>
  outcomeOf(claims.referral.post(as, 'claim', body));
const claimed = async (as: Address) =>
  (await expectOk(claims.referral.post(as, 'claim'))) as { claim_no: string; deadline: number };
const list = (as: Address, query: Record<string, string> = {}) =>
  expectOk(claims.referral.get(as, 'claims', query)) as Promise<{
    items: Record<string, unknown>[];
    total: number;
  }>;

describe('GET /api/v1/referral/claims/preview', () => {
  test('preview: claimable is synced and unclaimed, pending is unsynced', async () => {
    const nobody = nextAddress();
    const nothing = { claimable: '0', pending: '0', last_claimed_at: null };
    expect(await preview(nobody)).toEqual({ ...nothing, claim_wallet: nobody });
    const earner = await claims.nextEarner(10_500_000n, 1n);
    expect(await preview(earner)).toMatchObject({ claimable: '0', pending: '10.500001' });
    await claims.settleAll();
    await claims.earn(earner, 250_000n);
    expect(await preview(earner)).toEqual({
      claimable: '10.500001',
      pending: '0.25',
      last_claimed_at: null,
      claim_wallet: earner,
    });
  });

  test('preview: earnings of a processing order count until they are claimed', async () => {
    const earner = await claims.nextEarner(12_000_000n);
    await claims.settleAll();
    await claimed(earner);
    expect(await preview(earner)).toMatchObject({ claimable: '12', last_claimed_at: null });
    await claims.redeem(earner, 12_000_000n);
    expect(await preview(earner)).toMatchObject({
      claimable: '0',
      last_claimed_at: textLike(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });
});

describe('POST /api/v1/referral/claim', () => {
  test('claim: the answer, field by field', async () => {
    const earner = await claims.nextEarner(10_000_000n, 345_678n);
    await claims.settleAll();
    const before = Math.floor(Date.now() / 1000);
    const answer = await claimed(earner);
    expect(answer).toEqual({
      success: true,
      claim_no: textLike(/^CLM-\d{8}-[A-Z0-9]{10}$/),
      status: 'processing',
      amount: '10345678',
      nonce: 0,
      deadline: expect.any(Number) as number,
      signature: textLike(/^0x[0-9a-f]{64}$/),
      contract_address: fakeRouter,
      message: textLike(/redeemReward/),
    });
    expect(answer.deadline).toBeGreaterThanOrEqual(before + 3600);
    expect(answer.deadline).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 3600);
  });

  test("claim: the deadline is an hour after the chain's clock if that is ahead", async () => {
    const earner = await claims.nextEarner(10_000_000n);
    await claims.settleAll();
    claims.chain.blockSeconds = 4_000_000_000;
    const { deadline } = await claimed(earner);
    claims.chain.blockSeconds = 0;
    expect(deadline).toBe(4_000_003_600);
  });

  test('claim: NO_CLAIMABLE without synced, unclaimed commission, for every account', async () => {
    expect(await claim(nextAddress())).toEqual(error(400, 'NO_CLAIMABLE'));
    const earner = await claims.nextEarner(50_000_000n);
    expect(await claim(earner)).toEqual(error(400, 'NO_CLAIMABLE'));
  });

  test('claim: BELOW_MINIMUM below 10 USDT, and 10 USDT are enough', async () => {
    const earner = await claims.nextEarner(9_999_999n);
    await claims.settleAll();
    expect(await claim(earner)).toEqual(error(400, 'BELOW_MINIMUM'));
    await claims.earn(earner, 1n);
    expect(await claim(earner)).toEqual(error(400, 'BELOW_MINIMUM'));
    await claims.settleAll();
    expect(await claim(earner)).toMatchObject({ status: 200, body: { amount: '10000000' } });
  });

  test('claim: CLAIM_ALREADY_PROCESSING comes before the others', async () => {
    const earner = await claims.nextEarner(20_000_000n);
    await claims.settleAll();
    await claimed(earner);
    expect(await claim(earner)).toEqual(error(409, 'CLAIM_ALREADY_PROCESSING'));
    await claims.earn(earner, 30_000_000n);
    await claims.settleAll();
    expect(await claim(earner)).toEqual(error(409, 'CLAIM_ALREADY_PROCESSING'));
  });

  test('claim: one of ten at once is accepted', async () => {
    const earner = await claims.nextEarner(20_000_000n, 5_000_000n);
    await claims.settleAll();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => claim(earner)));
    const refused = outcomes.filter(({ status }) => status !== 200);
    expect(refused).toEqual(Array(9).fill(error(409, 'CLAIM_ALREADY_PROCESSING')));
    expect(await list(earner)).toMatchObject({ total: 1 });
  });

  test('claim: the next one waits until the redemption is counted', async () => {
    const earner = await claims.nextEarner(20_000_000n);
    await claims.settleAll();
    await claims.redeem(earner, 5_000_000n, { isCounted: false });
    expect(await claim(earner)).toEqual(error(409, 'CLAIM_ALREADY_PROCESSING'));
    expect(await list(earner)).toMatchObject({ total: 0 });
  });

  test('claim: with nothing to claim the chain is not queried', async () => {
    const asked = claims.chain.standingsAsked;
    await claim(nextAddress());
    expect(claims.chain.standingsAsked).toBe(asked);
  });

  test('claim: the body is an empty object or nothing', async () => {
    const earner = await claims.nextEarner(20_000_000n);
    expect(await claim(earner, { amount: '10' })).toEqual(invalid('amount: unknown field'));
    const path = '/api/v1/referral/claim';
    const bare = claims.service.call({ method: 'POST', path, as: earner });
    expect(await outcomeOf(bare)).toEqual(error(400, 'NO_CLAIMABLE'));
  });
});

describe('POST /api/v1/referral/claim: failures', () => {
  test('claim: SIGNATURE_ERROR while the chain is unreachable, and nothing is left behind', async () => {
    const earner = await claims.nextEarner(20_000_000n);
    await claims.settleAll();
    claims.chain.isChainDown = true;
    expect(await claim(earner)).toEqual(error(500, 'SIGNATURE_ERROR'));
    claims.chain.isChainDown = false;
    claims.chain.isSigningOff = true;
    expect(await claim(earner)).toEqual(error(500, 'SIGNATURE_ERROR'));
    claims.chain.isSigningOff = false;
    expect(await list(earner)).toMatchObject({ total: 0 });
    await claimed(earner);
  });

  test('claim: an order whose signature fails is removed', async () => {
    const earner = await claims.nextEarner(20_000_000n);
    await claims.settleAll();
    claims.chain.isSignatureFailing = true;
    expect(await claim(earner)).toEqual(error(500, 'SIGNATURE_ERROR'));
    claims.chain.isSignatureFailing = false;
    expect(await list(earner)).toMatchObject({ total: 0 });
    const logs = await claims.referral.logs(earner, { type: 'claim' });
    expect(logs.total).toBe(0);
    expect(await claim(earner)).toMatchObject({ status: 200, body: { amount: '20000000' } });
  });

  test('claim: CLAIM_PERSIST_ERROR if the order cannot be created', async () => {
    const earner = await claims.nextEarner(20_000_000n);
    await claims.settleAll();
    claims.isClaimStoreDown = true;
    expect(await claim(earner)).toEqual(error(500, 'CLAIM_PERSIST_ERROR'));
    claims.isClaimStoreDown = false;
    await claimed(earner);
  });
});

describe('GET /api/v1/referral/claims', () => {
  test('claims: the fields while processing, and when redeemed', async () => {
    const earner = await claims.nextEarner(20_500_000n);
    await claims.settleAll();
    const { claim_no: claimNo } = await claimed(earner);
    const item = {
      claim_no: claimNo,
      amount: '20.5',
      status: 'processing',
      tx_hash: null,
      failure_reason: null,
      applied_at: anyText,
      finished_at: null,
    };
    expect(await list(earner)).toEqual({ items: [item], total: 1, page: 1, page_size: 20 });
    const hash = await claims.redeem(earner, 20_500_000n);
    expect((await list(earner)).items).toEqual([
      { ...item, status: 'success', tx_hash: hash, finished_at: anyText },
    ]);
    const logs = await claims.referral.logs(earner, { type: 'claim' });
    expect(logs.items).toMatchObject([{ amount: '20.5', reference: claimNo }]);
  });

  test("claims: newest first, paged, and only the caller's", async () => {
    const earner = await claims.nextEarner();
    const numbers: string[] = [];
    for (const amount of [11_000_000n, 12_000_000n, 13_000_000n]) {
      await claims.earn(earner, amount);
      await claims.settleAll();
      numbers.push((await claimed(earner)).claim_no);
      await claims.redeem(earner, amount);
    }
    const all = (await list(earner)).items.map((item) => item['claim_no']);
    expect(all).toEqual([...numbers].reverse());
    const second = await list(earner, { page: '2', page_size: '2' });
    expect(second).toMatchObject({ total: 3, page: 2, page_size: 2 });
    expect(second.items.map((item) => item['claim_no'])).toEqual([numbers[0]]);
    expect(await list(nextAddress())).toMatchObject({ items: [], total: 0 });
  });

  test('claims: page from 1, page_size from 1 to 100', async () => {
    const earner = await claims.nextEarner();
    const wrong = [{ page: '0' }, { page_size: '0' }, { page_size: '101' }, { page: 'x' }];
    for (const query of wrong) {
      expect(await outcomeOf(claims.referral.get(earner, 'claims', query))).toEqual(invalid());
    }
    for (const pageSize of ['1', '100']) {
      const page = await list(earner, { page: '1', page_size: pageSize });
      expect(page).toMatchObject({ page: 1, page_size: Number(pageSize) });
    }
  });
});

describe('claims: who may call', () => {
  test('claims: no token is 401 UNAUTHORIZED, an API key is not enough', async () => {
    const calls = [
      ['GET', 'claims/preview'],
      ['GET', 'claims'],
      ['POST', 'claim'],
      ['GET', 'claims/CLM-20260105-K7M2QX9TRA/signature'],
      ['POST', 'on-chain/claim-signature'],
    ] as const;
    const as = nextAddress();
    for (const [method, name] of calls) {
      const path = `/api/v1/referral/${name}`;
      const body = method === 'POST' ? { body: {} } : {};
      expect(await outcomeOf(claims.service.call({ method, path, ...body }))).toEqual(
        error(401, 'UNAUTHORIZED'),
      );
      expect(await outcomeOf(claims.service.callSigned({ method, path, as, ...body }))).toEqual(
        error(403, 'PERMISSION_DENIED'),
      );
    }
  });
});
