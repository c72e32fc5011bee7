import { assert } from '../../domain/assert.ts';
import type { TokenId } from '../../domain/identifiers.ts';
import type { EngineState } from '../engine-state.ts';
import type { FuturesAccount } from '../futures/accounts/futures-account.ts';
import { pendingFunding } from '../futures/funding/pending-funding.ts';
import type { FuturesState } from '../futures/futures-state.ts';
import { requireBig } from '../futures/snapshot-values.ts';
import { postingCodes } from '../ledger/postings.ts';
import { spotKind } from '../ledger/record-kinds.ts';
import type { ByteReader } from './byte-reader.ts';

// States of version 6 contain sums instead of a ledger: issued amounts and fees by token, balances
// with a single locked sum, perp wallets, and four sums of the futures side. Each is posted from
// outside into its cell, and the amount issued afterwards must match the state's own.

/** Reads tokens, fees and balances. @returns the issued amounts by token. */
export function decodeSums(reader: ByteReader, state: EngineState): readonly bigint[] {
  const { tokens, ledger, accounts } = state;
  const issued: bigint[] = [];
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) {
    const tokenId = tokens.add(reader.readText());
    issued.push(reader.readAmount());
    const fees = reader.readAmount();
    ledger.post(ledger.external(tokenId), ledger.feeRevenue(tokenId), fees, postingCodes.credit);
  }
  for (let owner = 1; owner <= accounts.count; owner += 1) {
    const balances = reader.readUint32();
    for (let at = 0; at < balances; at += 1) {
      const tokenId = reader.readUint32();
      ledger.restore({ kind: spotKind, owner, tokenId, first: 0n, second: 0n });
      const [external, available] = [ledger.external(tokenId), ledger.open(owner, tokenId)];
      ledger.post(external, available, reader.readAmount(), postingCodes.credit);
      ledger.post(external, available + 1, reader.readAmount(), postingCodes.credit);
    }
  }
  return issued;
}

/** Separates what withdrawals in progress lock from what open orders lock. */
export function setAsideWithdrawals({ ledger, wallet }: EngineState): void {
  for (const { accountId, tokenId, amount } of wallet.list()) {
    const locked = ledger.open(accountId, tokenId) + 1;
    const leaving = ledger.openSpotLeaving(accountId, tokenId);
    ledger.post(locked, leaving, amount, postingCodes.withdrawalSetAside);
  }
}

/** Posts a perp wallet and the part of it that is set aside. */
export function postWallet(
  state: FuturesState,
  account: FuturesAccount,
  balance: bigint,
  reserved: bigint,
): void {
  if (balance === 0n && reserved === 0n) return;
  post(state, state.cells.wallet(account), balance);
  post(state, state.cells.leaving(account), reserved);
}

/** Posts the insurance fund, fees and funding; a market's counter cell balances its entries. */
export function postFuturesSums(reader: ByteReader, state: FuturesState): void {
  requireBig(reader);
  const [insurance, fees, fundingHeld] = [reader, reader, reader].map(requireBig);
  assert(insurance !== undefined && fees !== undefined, 'a saved sum is there');
  if (insurance !== 0n) post(state, state.cells.insurance(), insurance);
  if (fees !== 0n) post(state, state.cells.feeRevenue(), fees);
  let rest = fundingHeld ?? 0n;
  for (const market of state.markets) {
    const [entries, pending] = sumPositions(state, market.terms.marketId);
    if (entries !== 0n) post(state, state.cells.clearing(market), 0n - entries);
    if (pending !== 0n) post(state, state.cells.funding(market), pending);
    rest -= pending;
  }
  // The rounding remainder is a single sum over all markets.
  const [first] = state.markets;
  if (first !== undefined && rest !== 0n) post(state, state.cells.funding(first), rest);
}

/** Settles the postings, which must have issued the amounts in the state. */
export function closeSums(
  { ledger, outcome, tokens }: EngineState,
  issued: readonly bigint[],
): void {
  outcome.isObserved = false;
  ledger.report(outcome);
  outcome.isObserved = true;
  for (const [tokenId, amount] of issued.entries()) {
    const token = tokens.getSymbol(tokenId as TokenId);
    assert(ledger.issuedOf(tokenId) === amount, `the saved sums of ${token} do not add up`);
  }
}

function sumPositions(state: FuturesState, marketId: number): readonly [bigint, bigint] {
  let entries = 0n;
  let pending = 0n;
  for (const account of state.accounts) {
    const position = account?.positions[marketId];
    if (position === undefined) continue;
    entries += position.quantity > 0 ? position.entryNotional : 0n - position.entryNotional;
    pending += pendingFunding(state.getMarket(marketId), position);
  }
  return [entries, pending];
}

function post({ cells }: FuturesState, cell: number, amount: bigint): void {
  const { ledger } = cells;
  const external = ledger.external(cells.tokenId);
  if (amount > 0n) ledger.post(external, cell, amount, postingCodes.credit);
  else ledger.post(cell, external, 0n - amount, postingCodes.credit);
}
