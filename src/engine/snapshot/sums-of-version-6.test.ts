import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';
import { engineFactory } from '../engine.ts';
import { findFuturesViolations } from '../futures/futures-invariants.ts';
import { findViolations } from '../invariants.ts';

// The stored state has two wallets with positions, resting orders in both kinds of market, and
// withdrawals of both wallets under way.

const golden = new URL('../../../test/golden/sums/', import.meta.url);
const balance = z.object({ tokenId: z.number(), available: z.string(), locked: z.string() });
const stored = z.object({
  accounts: z.array(
    z.object({
      spot: z.array(balance),
      perp: z.object({ walletBalance: z.string(), reserved: z.string() }),
      position: z.object({ quantity: z.number(), entryNotional: z.string() }),
    }),
  ),
  tokens: z.array(z.object({ issued: z.string(), fees: z.string() })),
  futuresFees: z.string(),
  fundingPool: z.string(),
  insuranceFund: z.string(),
});

/** Amounts as texts, as the file has them. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? `${each}` : each,
  );
  return JSON.parse(text) as unknown;
}

it('a state of version 6: every balance, wallet and sum comes into the ledger, which balances', () => {
  const expected = stored.parse(
    JSON.parse(readFileSync(new URL('version-6.json', golden), 'utf8')),
  );
  const engine = engineFactory.restore(readFileSync(new URL('version-6.state', golden)));
  for (const [at, { spot, perp, position }] of expected.accounts.entries()) {
    const accountId = (at + 1) as AccountId;
    expect(plain(engine.listBalances(accountId))).toEqual(spot);
    expect(plain(engine.futures.getPerpAccount(accountId))).toMatchObject(perp);
    const held = plain(engine.futures.getPosition(accountId, 0 as FuturesMarketId));
    expect(held).toMatchObject(position);
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
