import { type Amount, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { Decimal } from '../../domain/decimal.ts';
import {
  defaultGuards,
  type FuturesMarketId,
  type FuturesMarketTerms,
  futuresMarketStatuses,
  indexPriceSources,
  type Rate,
} from '../../domain/futures-market.ts';
import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import { leverageBrackets } from '../../domain/leverage-brackets.ts';
import { marketUnits } from '../../domain/spot-market.ts';
import { buySide, sellSide } from '../book/order-book.ts';
import type { ByteReader } from '../snapshot/byte-reader.ts';
import type { ByteWriter } from '../snapshot/byte-writer.ts';
import { postFuturesSums } from '../snapshot/sums-of-version-6.ts';
import { decodeAccount, encodeAccount } from './accounts/account-codec.ts';
import type { FuturesState } from './futures-state.ts';
import { decodeCloseOuts, encodeCloseOuts } from './liquidation/close-out-codec.ts';
import { decodeRankings, encodeRankings } from './liquidation/ranking-codec.ts';
import { decodeRiskQueue, encodeRiskQueue } from './liquidation/risk-queue-codec.ts';
import { decodeDelistings, encodeDelistings } from './markets/delisting-codec.ts';
import { FuturesMarketState } from './markets/futures-market-state.ts';
import { FuturesSettlement } from './orders/futures-settlement.ts';
import { leftOf } from './orders/live-order.ts';
import { bookSideOf } from './orders/match-order.ts';
import { decodeOrder, encodeOrder } from './orders/order-codec.ts';
import { restoreOrder } from './orders/restore-order.ts';
import type { MarkRange } from './pricing/mark-range.ts';
import { decodeReported, encodeReported } from './report-risk.ts';
import { member, readBig, requireBig, writeBig } from './snapshot-values.ts';

// Written in an order that follows from the state itself, so that equal states have equal bytes:
// markets, accounts and orders by number, then each book's orders, then the rest sorted by its
// keys.

/** Encodes all perpetuals for a snapshot; equal states have equal bytes. */
export function encodeFutures(writer: ByteWriter, state: FuturesState): void {
  writer.writeUint32(state.markets.length);
  for (const market of state.markets) encodeMarket(writer, market);
  const accounts = state.accounts.filter((account) => account !== undefined && !account.isBlank);
  writer.writeUint32(accounts.length);
  for (const account of accounts) if (account !== undefined) encodeAccount(writer, account);
  const orders = state.orders.values();
  writer.writeUint32(orders.length);
  for (const order of orders) {
    const extreme = state.getMarket(order.marketId).triggers.extremeOf(order);
    encodeOrder(writer, { order, extreme });
  }
  for (const market of state.markets) encodeBook(writer, state, market);
  encodeRest(writer, state);
}

/** Fills an empty state with what `encodeFutures` wrote, in this or an earlier version. */
export function decodeFutures(reader: ByteReader, state: FuturesState): void {
  const markets = reader.readUint32();
  for (let marketId = 0; marketId < markets; marketId += 1) decodeMarket(reader, state, marketId);
  const accounts = reader.readUint32();
  for (let at = 0; at < accounts; at += 1) {
    decodeAccount(reader, state, state.openAccount(reader.readUint32()));
  }
  const orders = reader.readUint32();
  for (let at = 0; at < orders; at += 1) restoreOrder(state, decodeOrder(reader));
  for (const market of state.markets) decodeBook(reader, state, market);
  decodeRest(reader, state);
}

function encodeMarket(writer: ByteWriter, market: FuturesMarketState): void {
  const { terms } = market;
  writer.writeText(terms.symbol);
  writer.writeText(terms.baseAsset);
  writer.writeText(terms.tickSize.toString());
  writer.writeText(terms.lotSize.toString());
  writer.writeAmount(terms.minNotional);
  writer.writeAmount(terms.maxNotional);
  writer.writeUint32(terms.maxLeverage);
  writer.writeAmount(terms.maintenanceMarginRate);
  writer.writeUint32(terms.makerFeeBps);
  writer.writeUint32(terms.takerFeeBps);
  writer.writeByte(indexPriceSources.indexOf(terms.indexPriceSource));
  writer.writeUint32(terms.indexJumpBps);
  writer.writeUint32(terms.tradeBandBps);
  writer.writeAmount(terms.maxOpenInterest);
  writer.writeByte(futuresMarketStatuses.indexOf(terms.status));
  writer.writeNumber(terms.createdAt);
  writer.writeNumber(market.lastUpdateId);
  writer.writeNumber(market.lastTradeId);
  writeBig(writer, market.indexPrice);
  writer.writeNumber(market.indexPriceAt);
  writer.writeByte(market.isIndexStale ? 1 : 0);
  writeBig(writer, market.heldPush?.price ?? null);
  writer.writeNumber(market.heldPush?.at ?? 0);
  writeBig(writer, market.markPrice);
  writeBig(writer, market.settledPrice);
  for (const range of [market.judged, market.scanned]) {
    writeBig(writer, range?.low ?? null);
    writeBig(writer, range?.high ?? null);
  }
  writer.writeNumber(market.lastPrice);
  writer.writeNumber(market.openInterest);
  writer.writeUint32(market.basisSamples.length);
  for (const sample of market.basisSamples) writeBig(writer, sample);
  writeBig(writer, market.premiumSum);
  writer.writeNumber(market.premiumCount);
  writer.writeNumber(market.sampledAt);
  writer.writeAmount(market.lastFundingRate);
  writer.writeNumber(market.nextFundingTime);
  writeBig(writer, market.fundingIndex);
  encodeRankings(writer, market.rankings);
  const { sweep } = market;
  writer.writeByte(sweep === null ? 0 : 1);
  if (sweep === null) return;
  writer.writeNumber(sweep.fundingTime);
  writer.writeAmount(sweep.rate);
  writeBig(writer, sweep.markPrice);
  writer.writeNumber(sweep.nextAccountId);
  writer.writeByte(sweep.isReported ? 1 : 0);
}

function decodeMarket(reader: ByteReader, state: FuturesState, marketId: number): void {
  const unguarded = {
    symbol: reader.readText(),
    baseAsset: reader.readText(),
    tickSize: BigInt(reader.readText()) as Decimal,
    lotSize: BigInt(reader.readText()) as Decimal,
    minNotional: toAmount(reader.readAmount()),
    maxNotional: toAmount(reader.readAmount()),
    maxLeverage: reader.readUint32(),
    maintenanceMarginRate: reader.readAmount() as Rate,
    makerFeeBps: reader.readUint32(),
    takerFeeBps: reader.readUint32(),
    indexPriceSource: member(indexPriceSources, reader.readByte()),
  };
  const terms: FuturesMarketTerms = {
    ...unguarded,
    ...decodeGuards(reader, unguarded.maxNotional),
  };
  const status = member(futuresMarketStatuses, reader.readByte());
  const createdAt = reader.readNumber() as TimestampMs;
  const units = marketUnits(terms.tickSize, terms.lotSize);
  assert(units !== null, 'a saved market has units');
  const { tickLotAmount } = units;
  const brackets = leverageBrackets(terms);
  const id = marketId as FuturesMarketId;
  const market = new FuturesMarketState(
    { ...terms, marketId: id, status, brackets, tickLotAmount, createdAt },
    new FuturesSettlement(state, marketId),
  );
  state.markets.push(market);
  state.marketIds.set(terms.symbol, marketId);
  market.lastUpdateId = reader.readNumber();
  market.lastTradeId = reader.version < 8 ? state.engine.tradeNumber : reader.readNumber();
  market.indexPrice = readBig(reader);
  market.indexPriceAt = reader.readNumber();
  market.isIndexStale = reader.readByte() === 1;
  if (reader.version !== 6) {
    const heldPrice = readBig(reader);
    const heldAt = reader.readNumber();
    market.heldPush = heldPrice === null ? null : { price: heldPrice, at: heldAt };
  }
  market.markPrice = readBig(reader);
  market.settledPrice = reader.version === 6 ? market.markPrice : readBig(reader);
  market.judged = reader.version === 6 ? rangeAt(market.markPrice) : readRange(reader);
  market.scanned = reader.version === 6 ? market.judged : readRange(reader);
  market.lastPrice = reader.readNumber();
  market.openInterest = reader.readNumber();
  const samples = reader.readUint32();
  for (let at = 0; at < samples; at += 1) market.basisSamples.push(requireBig(reader));
  market.premiumSum = requireBig(reader);
  market.premiumCount = reader.readNumber();
  market.sampledAt = reader.readNumber();
  market.lastFundingRate = reader.readAmount() as Rate;
  market.nextFundingTime = reader.readNumber() as TimestampMs;
  market.fundingIndex = requireBig(reader);
  decodeRankings(reader, market.rankings);
  if (reader.readByte() === 0) return;
  market.sweep = {
    fundingTime: reader.readNumber() as TimestampMs,
    rate: reader.readAmount() as Rate,
    markPrice: requireBig(reader),
    nextAccountId: reader.readNumber(),
    isReported: reader.version === 6 || reader.readByte() === 1,
  };
  state.sweepCount += 1;
}

function decodeGuards(reader: ByteReader, maxNotional: Amount): ReturnType<typeof defaultGuards> {
  // Version 6 has none, so its markets get the defaults of a newly created market.
  if (reader.version === 6) return defaultGuards(maxNotional);
  return {
    indexJumpBps: reader.readUint32(),
    tradeBandBps: reader.readUint32(),
    maxOpenInterest: toAmount(reader.readAmount()),
  };
}

function rangeAt(price: bigint | null): MarkRange | null {
  return price === null ? null : { low: price, high: price };
}

function readRange(reader: ByteReader): MarkRange | null {
  const low = readBig(reader);
  const high = readBig(reader);
  return low === null || high === null ? null : { low, high };
}

function encodeBook(
  writer: ByteWriter,
  { orders }: FuturesState,
  { book }: FuturesMarketState,
): void {
  writer.writeUint32(book.orderCount);
  for (const side of [buySide, sellSide] as const) {
    book.visitOrders(side, (slot) => writer.writeNumber(orders.numberOf(slot)));
  }
}

function decodeBook(reader: ByteReader, state: FuturesState, { book }: FuturesMarketState): void {
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) {
    const order = state.orders.get(reader.readNumber());
    assert(order !== undefined && order.price !== null, 'a saved book holds saved orders');
    const { slot, accountId: account, price } = order;
    const quantity = leftOf(order);
    book.restore(
      { account, side: bookSideOf(order), price, quantity, policy: 'rest' },
      slot,
      quantity,
    );
  }
}

function encodeRest(writer: ByteWriter, state: FuturesState): void {
  const transfers = state.transferIds.list();
  writer.writeUint32(transfers.length);
  for (const { accountId, clientTransferId, transferNumber } of transfers) {
    writer.writeText(`${accountId}:${clientTransferId}`);
    writer.writeNumber(transferNumber);
  }
  writer.writeNumber(state.transferNumber);
  const reservations = [...state.reservations].sort(([a], [b]) => (a < b ? -1 : 1));
  writer.writeUint32(reservations.length);
  for (const [reference, { accountId, amount }] of reservations) {
    writer.writeText(reference);
    writer.writeUint32(accountId);
    writeBig(writer, amount);
  }
  encodeCloseOuts(writer, state);
  encodeGate(writer, state);
  encodeRiskQueue(writer, state);
  encodeDelistings(writer, state);
  const moved = [...state.movedMarkets].map(({ terms }) => terms.marketId).sort((a, b) => a - b);
  writer.writeUint32(moved.length);
  for (const marketId of moved) writer.writeUint32(marketId);
  const countdowns = state.countdowns.list();
  writer.writeUint32(countdowns.length);
  for (const { accountId, marketId, cancelAt, kind } of countdowns) {
    writer.writeUint32(accountId);
    writer.writeUint32(marketId);
    writer.writeNumber(cancelAt);
    writer.writeByte(kind === 'all' ? 0 : 1);
  }
  encodeReported(writer, state);
}

function encodeGate(writer: ByteWriter, state: FuturesState): void {
  const { gateUntil, areWithdrawalsHeld, fundLevels } = state;
  writer.writeNumber(gateUntil);
  writer.writeByte(areWithdrawalsHeld ? 1 : 0);
  const levels = fundLevels.list();
  writer.writeUint32(levels.length);
  for (const { until, level } of levels) {
    writer.writeNumber(until);
    writeBig(writer, level);
  }
}

function decodeGate(reader: ByteReader, state: FuturesState): void {
  state.gateUntil = reader.readNumber();
  state.areWithdrawalsHeld = reader.version >= 9 && reader.readByte() === 1;
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) {
    state.fundLevels.restore({ until: reader.readNumber(), level: requireBig(reader) });
  }
}

function decodeRest(reader: ByteReader, state: FuturesState): void {
  const transfers = reader.readUint32();
  for (let at = 0; at < transfers; at += 1) {
    const key = reader.readText();
    const mark = key.indexOf(':');
    state.transferIds.add({
      accountId: Number(key.slice(0, mark)) as AccountId,
      clientTransferId: key.slice(mark + 1),
      transferNumber: reader.readNumber(),
    });
  }
  state.transferNumber = reader.readNumber();
  const reservations = reader.readUint32();
  for (let at = 0; at < reservations; at += 1) {
    const reference = reader.readText();
    const accountId = reader.readUint32() as AccountId;
    state.reservations.set(reference, { accountId, amount: requireBig(reader) });
  }
  if (reader.version === 6) postFuturesSums(reader, state);
  else decodeCloseOuts(reader, state);
  if (reader.version >= 8) decodeGate(reader, state);
  decodeRiskQueue(reader, state);
  decodeDelistings(reader, state);
  const moved = reader.readUint32();
  for (let at = 0; at < moved; at += 1) {
    state.movedMarkets.add(state.getMarket(reader.readUint32()));
  }
  const countdowns = reader.readUint32();
  for (let at = 0; at < countdowns; at += 1) {
    const accountId = reader.readUint32() as AccountId;
    const marketId = reader.readUint32() as FuturesMarketId;
    const cancelAt = reader.readNumber() as TimestampMs;
    const kind = reader.version >= 9 && reader.readByte() === 1 ? 'resting' : 'all';
    state.countdowns.set({ accountId, marketId, cancelAt, kind });
  }
  if (reader.version >= 10) decodeReported(reader, state);
}
