import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { ClaimService } from '../support/claims/claim-service.ts';
import { fakeOperator, fakeRegister, fakeRouter } from '../support/claims/fake-reward-chain.ts';
import { error } from '../support/plain-replies.ts';
import { expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';

// The on-chain queries and the chain's own facts, open to all, in the words of interface.md.

let claims: ClaimService;

beforeAll(async () => {
  claims = await ClaimService.start();
});
afterAll(() => claims.close());

const zeroAddress = '0x0000000000000000000000000000000000000000';
const query = (path: string) => claims.service.call({ path: `/api/v1/referral/on-chain/${path}` });
const addressQueries = ['user-rebate', 'referral-info', 'claimed'];

describe('GET /api/v1/referral/on-chain/...', () => {
  test('user-rebate: claimed is the raw value divided by 10^6, names of the five tiers', async () => {
    const address = nextAddress();
    const referrer = nextAddress();
    const names = ['Starter', 'Silver', 'Gold', 'Platinum', 'Diamond'];
    for (const [tierLevel, name] of names.entries()) {
      const rebate = { claimed: toMicroUsdt(12_345_670n), nonce: 3, code: 'SATOSHI_21' };
      claims.chain.rebates.set(address, { ...rebate, referrer, tierLevel });
      expect(await expectOk(query(`user-rebate/${address}`))).toEqual({
        address,
        claimed_usd: '12.34567',
        nonce: 3,
        referral_code: 'SATOSHI_21',
        referrer,
        tier_level: tierLevel,
        tier_name: name,
      });
    }
  });

  test('user-rebate: an unknown user has an empty code and the zero address', async () => {
    const address = nextAddress();
    const shouting = `0x${address.slice(2).toUpperCase()}`;
    expect(await expectOk(query(`user-rebate/${shouting}`))).toEqual({
      address,
      claimed_usd: '0',
      nonce: 0,
      referral_code: '',
      referrer: zeroAddress,
      tier_level: 0,
      tier_name: 'Starter',
    });
  });

  test('referral-info: discount and reward add up to the total', async () => {
    const address = nextAddress();
    const shares = { totalRebateBps: 1000, traderDiscountBps: 200, affiliateRewardBps: 800 };
    const referrer = nextAddress();
    claims.chain.referrals.set(address, { code: 'ABCD', referrer, ...shares });
    expect(await expectOk(query(`referral-info/${address}`))).toEqual({
      address,
      code: 'ABCD',
      referrer,
      total_rebate_bps: 1000,
      trader_discount_bps: 200,
      affiliate_reward_bps: 800,
    });
  });

  test('claimed: address and amount', async () => {
    const address = nextAddress();
    const rebate = { claimed: toMicroUsdt(1n), nonce: 1, code: '', tierLevel: 0 };
    claims.chain.rebates.set(address, { ...rebate, referrer: zeroAddress as Address });
    expect(await expectOk(query(`claimed/${address}`))).toEqual({
      address,
      claimed_usd: '0.000001',
    });
  });

  test('operator-status: the signer, whether the contract accepts it, the register', async () => {
    expect(await expectOk(query('operator-status'))).toEqual({
      operator_address: fakeOperator,
      is_operator: true,
      contract_address: fakeRegister,
    });
  });

  test('operator-status: is_operator is false if the contract has a different operator', async () => {
    const { operator } = claims.chain;
    claims.chain.operator = { ...operator, isOperator: false };
    expect(await expectOk(query('operator-status'))).toEqual({
      operator_address: fakeOperator,
      is_operator: false,
      contract_address: fakeRegister,
    });
    claims.chain.operator = operator;
  });

  test('on-chain: INVALID_ADDRESS for anything else than an address', async () => {
    const digits = 'ab'.repeat(20);
    const wrong = [digits, `0x${digits}0`, `0x${digits.slice(1)}`, `0x${'g'.repeat(40)}`, 'x'];
    for (const kind of addressQueries) {
      for (const address of wrong) {
        expect(await outcomeOf(query(`${kind}/${address}`))).toEqual(error(400, 'INVALID_ADDRESS'));
      }
    }
  });

  test('on-chain: CHAIN_ERROR while the node does not answer; the address is checked first', async () => {
    claims.chain.isChainDown = true;
    for (const kind of addressQueries) {
      expect(await outcomeOf(query(`${kind}/nonsense`))).toEqual(error(400, 'INVALID_ADDRESS'));
      const asked = query(`${kind}/${nextAddress()}`);
      expect(await outcomeOf(asked)).toEqual(error(500, 'CHAIN_ERROR'));
    }
    expect(await outcomeOf(query('operator-status'))).toEqual(error(500, 'CHAIN_ERROR'));
    claims.chain.isChainDown = false;
  });
});

describe('GET /api/v1/chain/info', () => {
  test('info: chain, contracts, and the node of a development chain', async () => {
    const path = '/api/v1/chain/info';
    const none = { reward_router: null, referral_rebate: null, spot_vault: null };
    expect(await expectOk(claims.service.call({ path }))).toEqual({
      chain_id: 31_337,
      contracts: { ...none, usdt: null, df: null },
      rpc_url: null,
      explorer_url: null,
    });
    claims.info = {
      ...claims.info,
      rewardRouter: fakeRouter,
      referralRebate: fakeRegister,
      rpcUrl: 'http://127.0.0.1:8545',
      explorerUrl: 'https://explorer.example',
    };
    expect(await expectOk(claims.service.call({ path }))).toMatchObject({
      contracts: { reward_router: fakeRouter, referral_rebate: fakeRegister },
      rpc_url: 'http://127.0.0.1:8545',
      explorer_url: 'https://explorer.example',
    });
  });
});
