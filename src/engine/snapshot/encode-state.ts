import type { AccountId, TokenId } from '../../domain/identifiers.ts';
import { type SpotMarketStatus, spotMarketStatuses } from '../../domain/spot-market.ts';
import { buySide, sellSide } from '../book/order-book.ts';
import type { EngineState } from '../engine-state.ts';
import { encodeFutures } from '../futures/snapshot-futures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SpotMarketState } from '../spot/spot-market-state.ts';
import { ByteWriter } from './byte-writer.ts';
import { stateMagic, stateVersion } from './state-format.ts';

// Everything is written in an order that follows from the state itself (numbers, price and time,
// sorted texts), never in the order of slots or tables, so that equal states have equal bytes.

/** Encodes the whole state in the newest format; equal states have equal bytes. */
export function encodeState(state: EngineState): Uint8Array {
  const writer = new ByteWriter();
  writer.writeUint32(stateMagic);
  writer.writeUint32(stateVersion);
  writer.writeUint32(state.rules);
  writer.writeNumber(state.sequence);
  writer.writeNumber(state.timestamp);
  writer.writeNumber(state.orderNumber);
  writer.writeNumber(state.tradeNumber);
  encodeAccounts(writer, state);
  encodeTokens(writer, state);
  encodeLedger(writer, state.ledger);
  writer.writeUint32(state.spotMarkets.length);
  for (const market of state.spotMarkets) encodeMarket(writer, market);
  for (const market of state.spotMarkets) encodeOrders(writer, state, market);
  const references = [...state.references].sort();
  writer.writeUint32(references.length);
  for (const reference of references) writer.writeText(reference);
  state.wallet.encode(writer);
  encodeFutures(writer, state.futures);
  return writer.finish();
}

function encodeAccounts(writer: ByteWriter, { accounts }: EngineState): void {
  writer.writeUint32(accounts.count);
  for (let accountId = 1; accountId <= accounts.count; accountId += 1) {
    writer.writeText(accounts.getAddress(accountId as AccountId));
  }
}

function encodeTokens(writer: ByteWriter, { tokens }: EngineState): void {
  writer.writeUint32(tokens.count);
  for (let id = 0; id < tokens.count; id += 1) {
    const tokenId = id as TokenId;
    writer.writeText(tokens.getSymbol(tokenId));
  }
}

function encodeLedger(writer: ByteWriter, ledger: Ledger): void {
  const records = [...ledger.records()];
  writer.writeUint32(records.length);
  for (const { kind, owner, tokenId, first, second } of records) {
    writer.writeByte(kind);
    writer.writeUint32(owner);
    writer.writeUint32(tokenId);
    writer.writeAmount(first);
    writer.writeAmount(second);
  }
}

function encodeMarket(
  writer: ByteWriter,
  { terms, lastUpdateId, lastTradeId }: SpotMarketState,
): void {
  writer.writeText(terms.symbol);
  writer.writeText(terms.baseToken);
  writer.writeText(terms.quoteToken);
  writer.writeUint32(terms.baseTokenId);
  writer.writeUint32(terms.quoteTokenId);
  // Decimals can exceed 64 bits.
  writer.writeText(terms.tickSize.toString());
  writer.writeText(terms.lotSize.toString());
  writer.writeAmount(terms.minNotional);
  writer.writeUint32(terms.makerFeeBps);
  writer.writeUint32(terms.takerFeeBps);
  writer.writeByte(statusCode(terms.status));
  writer.writeNumber(terms.createdAt);
  writer.writeNumber(lastUpdateId);
  writer.writeNumber(lastTradeId);
}

function encodeOrders(writer: ByteWriter, { orders }: EngineState, market: SpotMarketState): void {
  writer.writeUint32(market.book.orderCount);
  for (const side of [buySide, sellSide] as const) {
    market.book.visitOrders(side, (slot) => {
      writer.writeNumber(orders.numberOf(slot));
      writer.writeUint32(orders.accountOf(slot));
      writer.writeByte(side);
      writer.writeByte(orders.timeInForceOf(slot));
      writer.writeNumber(orders.priceOf(slot));
      writer.writeNumber(orders.quantityOf(slot));
      writer.writeNumber(orders.filledOf(slot));
      writer.writeAmount(orders.filledQuoteOf(slot));
      writer.writeNumber(orders.createdAtOf(slot));
      writer.writeNumber(orders.updatedAtOf(slot));
      writer.writeTextOrNull(orders.clientOrderIdOf(slot));
    });
  }
}

function statusCode(status: SpotMarketStatus): number {
  return spotMarketStatuses.indexOf(status);
}
