import {
  defaultGuards,
  type FuturesMarketStatus,
  type FuturesMarketTerms,
  type IndexPriceSource,
} from '../domain/futures-market.ts';
import type * as futures from '../engine/futures-commands.ts';
import type { FieldReader } from './field-reader.ts';
import { codeTable, type FieldStream } from './field-stream.ts';

// The fields of the commands about futures markets; codes are permanent.

const statusCodes = codeTable<FuturesMarketStatus>({ listed: 1, halted: 2, delisted: 3 });
const sourceCodes = codeTable<IndexPriceSource>({ book: 1, admin: 2 });

type Guard = 'indexJumpBps' | 'tradeBandBps' | 'maxOpenInterest';

function unguardedTerms(
  stream: FieldStream,
  terms?: FuturesMarketTerms,
): Omit<FuturesMarketTerms, Guard> {
  return {
    symbol: stream.text(terms?.symbol),
    baseAsset: stream.text(terms?.baseAsset),
    tickSize: stream.bigint(terms?.tickSize),
    lotSize: stream.bigint(terms?.lotSize),
    minNotional: stream.bigint(terms?.minNotional),
    maxNotional: stream.bigint(terms?.maxNotional),
    maxLeverage: stream.integer(terms?.maxLeverage),
    maintenanceMarginRate: stream.bigint(terms?.maintenanceMarginRate),
    makerFeeBps: stream.integer(terms?.makerFeeBps),
    takerFeeBps: stream.integer(terms?.takerFeeBps),
    indexPriceSource: stream.code(sourceCodes, terms?.indexPriceSource),
  };
}

export function createFuturesMarket(
  stream: FieldStream,
  command?: futures.CreateFuturesMarket,
): futures.CreateFuturesMarket {
  const terms = command?.terms;
  return {
    type: 'createFuturesMarket',
    terms: {
      ...unguardedTerms(stream, terms),
      indexJumpBps: stream.integer(terms?.indexJumpBps),
      tradeBandBps: stream.integer(terms?.tradeBandBps),
      maxOpenInterest: stream.bigint(terms?.maxOpenInterest),
    },
  };
}

/** A market created without guards gets the usual ones. */
export function createUnguardedMarket(reader: FieldReader): futures.CreateFuturesMarket {
  const terms = unguardedTerms(reader);
  return { type: 'createFuturesMarket', terms: { ...terms, ...defaultGuards(terms.maxNotional) } };
}

export function setFuturesMarketStatus(
  stream: FieldStream,
  command?: futures.SetFuturesMarketStatus,
): futures.SetFuturesMarketStatus {
  return {
    type: 'setFuturesMarketStatus',
    symbol: stream.text(command?.symbol),
    status: stream.code(statusCodes, command?.status),
    settlementPrice: stream.nullableBigint(command?.settlementPrice ?? null),
    effectiveAt: stream.nullableInteger(command?.effectiveAt ?? null),
  };
}

/** A status set without a settlement price or a time. */
export function plainMarketStatus(reader: FieldReader): futures.SetFuturesMarketStatus {
  const symbol = reader.text(undefined);
  const status = reader.code(statusCodes, undefined);
  const unplanned = { settlementPrice: null, effectiveAt: null };
  return { type: 'setFuturesMarketStatus', symbol, status, ...unplanned };
}

export function setIndexPrice(
  stream: FieldStream,
  command?: futures.SetIndexPrice,
): futures.SetIndexPrice {
  return {
    type: 'setIndexPrice',
    symbol: stream.text(command?.symbol),
    price: stream.bigint(command?.price),
  };
}
