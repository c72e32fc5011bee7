import type { Brand } from './brand.ts';

/** Rising from 1 in the order in which accounts were opened; given by the engine. */
export type AccountId = Brand<number, 'AccountId'>;
/** Rising from 0 in the order of first mention; given by the engine. */
export type TokenId = Brand<number, 'TokenId'>;
/** Rising from 0 in the order of creation; given by the engine. */
export type MarketId = Brand<number, 'MarketId'>;
/** Rising from 1 over all markets; given by the engine. */
export type OrderNumber = Brand<number, 'OrderNumber'>;
/** Rising from 1 over all markets; given by the engine. */
export type TradeNumber = Brand<number, 'TradeNumber'>;
/** Rising from 1 by one within a market: what callers see of a trade; given by the engine. */
export type TradeId = Brand<number, 'TradeId'>;
/** The place of a command in the journal, rising from 1 without gaps. */
export type Sequence = Brand<number, 'Sequence'>;
/** Milliseconds since 1970-01-01 UTC, as stamped by the sequencer; never falls. */
export type TimestampMs = Brand<number, 'TimestampMs'>;
/** An EVM address: 0x and 40 lowercase hex digits. */
export type Address = Brand<string, 'Address'>;

const addressPattern = /^0x[0-9a-fA-F]{40}$/;

/** The address in lowercase, or null where the text is not one. */
export function parseAddress(text: string): Address | null {
  if (!addressPattern.test(text)) return null;
  return text.toLowerCase() as Address;
}

const tokenPattern = /^[A-Za-z0-9._-]{1,20}$/;

export function isTokenSymbol(text: string): boolean {
  return tokenPattern.test(text);
}

const clientOrderIdPattern = /^[A-Za-z0-9._:/-]{1,36}$/;

export function isClientOrderId(text: string): boolean {
  return clientOrderIdPattern.test(text);
}
