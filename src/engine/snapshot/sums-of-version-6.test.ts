import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';
import { engineFactory } from '../engine.ts';
import { findFuturesViolations } from '../futures/futures-invariants.ts';
import { findViolations } from '../invariants.ts';

// The stored state has two wallets with positions, resting orders in both kinds of market, and
// withdrawals of both wallets in progress.

const golden = new URL('../../../test/golden/sums/', import.meta.url);

interface StoredSums {
  readonly accounts: readonly {
    readonly spot: readonly { tokenId: number; available: string; locked: string }[];
    readonly perp: { readonly walletBalance: string; readonly reserved: string };
    readonly position: { readonly quantity: number; readonly entryNotional: string };
  }[];
  readonly tokens: readonly { readonly issued: string; readonly fees: string }[];
  readonly futuresFees: string;
  readonly insuranceFund: string;
}

/** Amounts as texts, as the file has them. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? `${each}` : each,
  );
  return JSON.parse(text) as unknown;
}

it('a state of version 6: every balance, wallet and sum is read into the ledger, which balances', () => {
  const text = readFileSync(new URL('version-6.json', golden), 'utf8');
  const expected = JSON.parse(text) as StoredSums;
  const engine = engineFactory.restore(readFileSync(new URL('version-6.state', golden)));
  for (const [at, { spot, perp, position }] of expected.accounts.entries()) {
    const accountId = (at + 1) as AccountId;
    expect(plain(engine.listBalances(accountId))).toEqual(spot);
    const { walletBalance, reserved } = perp;
    const wallet = plain(engine.futures.getPerpAccount(accountId));
    expect(wallet).toMatchObject({ walletBalance, reserved });
    const held = plain(engine.futures.getPosition(accountId, 0 as FuturesMarketId));
    const { quantity, entryNotional } = position;
    expect(held).toMatchObject({ quantity, entryNotional });
  }
  const fees = [BigInt(expected.futuresFees), 0n];
  for (const [at, token] of expected.tokens.entries()) {
    const tokenId = at as TokenId;
    expect(`${engine.getIssued(tokenId)}`).toBe(token.issued);
    expect(engine.getFeesCollected(tokenId)).toBe(BigInt(token.fees) + (fees[at] ?? 0n));
  }
  expect(`${engine.futures.insuranceFund}`).toBe(expected.insuranceFund);
  expect(findViolations(engine)).toEqual([]);
  expect(findFuturesViolations(engine.futures)).toEqual([]);
  const again = engineFactory.restore(engine.encodeState());
  expect(again.stateHash()).toBe(engine.stateHash());
});
