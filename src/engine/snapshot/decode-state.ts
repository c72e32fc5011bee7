import { toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type {
  Address,
  MarketId,
  Sequence,
  TimestampMs,
  TokenId,
} from '../../domain/identifiers.ts';
import { marketUnits, type SpotMarket, spotMarketStatuses } from '../../domain/spot-market.ts';
import { buySide, sellSide } from '../book/order-book.ts';
import { EngineState } from '../engine-state.ts';
import { decodeFutures } from '../futures/snapshot-futures.ts';
import { toRecordKind } from '../ledger/record-kinds.ts';
import { type Rules, toRules } from '../rules.ts';
import { SpotMarketState } from '../spot/spot-market-state.ts';
import { ByteReader } from './byte-reader.ts';
import { rulesOfUnnamed, stateMagic, stateVersion, stateVersionMin } from './state-format.ts';
import { closeSums, decodeSums, setAsideWithdrawals } from './sums-of-version-6.ts';

/**
 * Decodes the state that `encodeState` wrote.
 *
 * @throws AssertionError if the bytes are not a state of a supported version.
 */
export function decodeState(bytes: Uint8Array): EngineState {
  const reader = new ByteReader(bytes);
  assert(reader.readUint32() === stateMagic, 'the bytes are not a saved state');
  reader.version = reader.readUint32();
  assert(
    reader.version >= stateVersionMin && reader.version <= stateVersion,
    `the state has version ${reader.version}, none of ${stateVersionMin} to ${stateVersion}`,
  );
  const state = new EngineState(decodeRules(reader));
  state.sequence = reader.readNumber() as Sequence;
  state.timestamp = reader.readNumber() as TimestampMs;
  state.orderNumber = reader.readNumber();
  state.tradeNumber = reader.readNumber();
  decodeAccounts(reader, state);
  const issued = reader.version === 6 ? decodeSums(reader, state) : null;
  if (issued === null) {
    decodeTokens(reader, state);
    decodeLedger(reader, state);
  }
  decodeMarkets(reader, state);
  decodeOrders(reader, state);
  const references = reader.readUint32();
  for (let at = 0; at < references; at += 1) state.references.add(reader.readText());
  state.wallet.decode(reader);
  if (issued !== null) setAsideWithdrawals(state);
  decodeFutures(reader, state.futures);
  if (issued !== null) closeSums(state, issued);
  assert(reader.isAtEnd, 'the saved state is longer than it should be');
  return state;
}

/** Whether the bytes are a state of the current version; an older one gets another hash. */
export function isStateOfThisVersion(bytes: Uint8Array): boolean {
  const reader = new ByteReader(bytes);
  return reader.readUint32() === stateMagic && reader.readUint32() === stateVersion;
}

function decodeRules(reader: ByteReader): Rules {
  return toRules(reader.version < 10 ? rulesOfUnnamed : reader.readUint32());
}

function decodeAccounts(reader: ByteReader, state: EngineState): void {
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) state.accounts.open(reader.readText() as Address);
}

function decodeTokens(reader: ByteReader, { tokens }: EngineState): void {
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) tokens.add(reader.readText());
}

function decodeLedger(reader: ByteReader, { ledger }: EngineState): void {
  const count = reader.readUint32();
  for (let at = 0; at < count; at += 1) {
    ledger.restore({
      kind: toRecordKind(reader.readByte()),
      owner: reader.readUint32(),
      tokenId: reader.readUint32(),
      first: reader.readAmount(),
      second: reader.readAmount(),
    });
  }
  ledger.checkTotals();
}

function decodeMarkets(reader: ByteReader, state: EngineState): void {
  const { settlement, orders, ledger } = state;
  const count = reader.readUint32();
  for (let marketId = 0; marketId < count; marketId += 1) {
    const terms = decodeTerms(reader, marketId as MarketId);
    const market = new SpotMarketState(terms, settlement, orders.records, ledger);
    market.lastUpdateId = reader.readNumber();
    // Versions below 8 have one trade counter for all markets; each market continues from it.
    market.lastTradeId = reader.version < 8 ? state.tradeNumber : reader.readNumber();
    state.spotMarkets.push(market);
    state.spotMarketIds.set(terms.symbol, terms.marketId);
  }
}

function decodeTerms(reader: ByteReader, marketId: MarketId): SpotMarket {
  const symbol = reader.readText();
  const baseToken = reader.readText();
  const quoteToken = reader.readText();
  const baseTokenId = reader.readUint32() as TokenId;
  const quoteTokenId = reader.readUint32() as TokenId;
  const tickSize = BigInt(reader.readText()) as Decimal;
  const lotSize = BigInt(reader.readText()) as Decimal;
  const minNotional = toAmount(reader.readAmount());
  const makerFeeBps = reader.readUint32();
  const takerFeeBps = reader.readUint32();
  const status = spotMarketStatuses[reader.readByte()];
  const createdAt = reader.readNumber() as TimestampMs;
  const units = marketUnits(tickSize, lotSize);
  assert(units !== null && status !== undefined, 'the saved state holds an impossible market');
  return {
    symbol,
    baseToken,
    quoteToken,
    tickSize,
    lotSize,
    minNotional,
    makerFeeBps,
    takerFeeBps,
    ...units,
    marketId,
    baseTokenId,
    quoteTokenId,
    status,
    createdAt,
  };
}

function decodeOrders(reader: ByteReader, state: EngineState): void {
  const slots: number[] = [];
  for (const market of state.spotMarkets) {
    const count = reader.readUint32();
    for (let at = 0; at < count; at += 1) slots.push(decodeOrder(reader, state, market));
  }
  // An account's orders are kept by number, across all markets.
  const { orders, clientOrderIds } = state;
  slots.sort((left, right) => orders.numberOf(left) - orders.numberOf(right));
  for (const slot of slots) {
    orders.keep(slot);
    const clientOrderId = orders.clientOrderIdOf(slot);
    if (clientOrderId === null) continue;
    clientOrderIds.add(slot, clientOrderIds.hash(orders.accountOf(slot), clientOrderId));
  }
}

function decodeOrder(reader: ByteReader, state: EngineState, market: SpotMarketState): number {
  const { arrival, ledger, orders } = state;
  const { baseTokenId, quoteTokenId, marketId } = market.terms;
  arrival.orderNumber = reader.readNumber();
  arrival.account = reader.readUint32();
  arrival.marketId = marketId;
  arrival.side = reader.readByte() === buySide ? buySide : sellSide;
  arrival.timeInForce = reader.readByte();
  arrival.price = reader.readNumber();
  arrival.quantity = reader.readNumber();
  const filled = reader.readNumber();
  const filledQuote = reader.readAmount();
  arrival.createdAt = reader.readNumber();
  const updatedAt = reader.readNumber();
  arrival.clientOrderId = reader.readTextOrNull();
  arrival.baseCell = ledger.open(arrival.account, baseTokenId);
  arrival.quoteCell = ledger.open(arrival.account, quoteTokenId);
  const slot = orders.open(arrival);
  orders.fill(slot, filled, filledQuote, updatedAt);
  market.book.restore(arrival, slot, arrival.quantity - filled);
  return slot;
}
