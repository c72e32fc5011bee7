import type { Brand } from './brand.ts';

/** Assigned by the engine in the order in which accounts are opened, from 1. */
export type AccountId = Brand<number, 'AccountId'>;
/** Assigned by the engine in the order of first mention, from 0. */
export type TokenId = Brand<number, 'TokenId'>;
/** Assigned by the engine in the order of creation, from 0. */
export type MarketId = Brand<number, 'MarketId'>;
/** Assigned by the engine, ascending from 1 over all markets. */
export type OrderNumber = Brand<number, 'OrderNumber'>;
/** Assigned by the engine, ascending from 1 over all markets. */
export type TradeNumber = Brand<number, 'TradeNumber'>;
/** A market's own trade number, from 1 without gaps; this is the trade id that callers see. */
export type TradeId = Brand<number, 'TradeId'>;
/** A command's position in the journal, from 1 without gaps. */
export type Sequence = Brand<number, 'Sequence'>;
/** Milliseconds since 1970-01-01 UTC, stamped by the sequencer; never decreases. */
export type TimestampMs = Brand<number, 'TimestampMs'>;
/** An EVM address: 0x and 40 lowercase hex digits. */
export type Address = Brand<string, 'Address'>;

const addressPattern = /^0x[0-9a-fA-F]{40}$/;

/** The address in lowercase; null if the text is not an address. */
export function parseAddress(text: string): Address | null {
  if (!addressPattern.test(text)) return null;
  return text.toLowerCase() as Address;
}

const tokenPattern = /^[A-Za-z0-9._-]{1,20}$/;

/** Whether the text can name a token: 1 to 20 letters, digits, dots, underscores and hyphens. */
export function isTokenSymbol(text: string): boolean {
  return tokenPattern.test(text);
}

const clientOrderIdPattern = /^[A-Za-z0-9._:/-]{1,36}$/;

/** Whether the text can be a client order id: 1 to 36 letters, digits and any of `._:/-`. */
export function isClientOrderId(text: string): boolean {
  return clientOrderIdPattern.test(text);
}
