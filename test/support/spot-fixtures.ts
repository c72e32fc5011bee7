import { expect } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Reply, SpotService } from './spot-service.ts';

/** Stands for any text in an expected value. */
export const anyText = expect.any(String) as unknown;

/** Stands for any text of this form in an expected value. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

let count = 0;

/** An address that no test used before. */
export function nextAddress(): Address {
  count += 1;
  return `0x${(0xc0ffee00 + count).toString(16).padStart(40, '0')}` as Address;
}

/**
 * A market that no test used before: tick 0.01, lot 0.0001, minimum 5, fees 10 and 20 bps. Its
 * base token is its symbol without USDT.
 */
export async function nextMarket(
  service: SpotService,
  change: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  count += 1;
  const id = `T${count}USDT`;
  await expectOk(
    service.call({
      method: 'POST',
      path: '/api/v1/admin/spot/markets',
      isAdmin: true,
      body: {
        id,
        base_token: `T${count}`,
        quote_token: 'USDT',
        tick_size: '0.01',
        lot_size: '0.0001',
        min_notional: '5',
        maker_fee_bps: 10,
        taker_fee_bps: 20,
        ...change,
      },
    }),
  );
  return id;
}

export function baseOf(symbol: string): string {
  return symbol.replace(/USDT$/, '');
}

/** A user that no test used before, with these amounts by token. */
export async function nextUser(
  service: SpotService,
  amounts: Readonly<Record<string, string>> = {},
): Promise<Address> {
  const address = nextAddress();
  for (const [token, amount] of Object.entries(amounts)) {
    await expectOk(
      service.call({
        method: 'POST',
        path: '/api/v1/admin/spot/balances/credit',
        isAdmin: true,
        body: { user_address: address, token, amount },
      }),
    );
  }
  return address;
}

export function place(service: SpotService, as: Address, body: object): Promise<Reply> {
  return service.call({ method: 'POST', path: '/api/v1/spot/orders', as, body });
}

/** Places an order that must be taken, and answers it. */
export async function placed(service: SpotService, as: Address, body: object): Promise<Order> {
  return (await expectOk(place(service, as, body))) as Order;
}

/** Rests buys of 5 base tokens at 1 USDT, straight in the engine; a tick of 0.01 is taken for granted. */
export async function restOrders(
  { exchange }: SpotService,
  as: Address,
  symbol: string,
  count: number,
): Promise<void> {
  const { engine } = exchange;
  const accountId = engine.findAccount(as);
  const market = engine.findSpotMarket(symbol);
  if (accountId === null || market === null) throw new Error(`nobody can trade ${symbol}`);
  const price = 100 as Ticks;
  const quantity = Number((5n * 10n ** 18n) / market.lotSize) as Lots;
  for (let at = 0; at < count; at += 1) {
    const { rejection } = await exchange.submit({
      type: 'placeSpotOrder',
      accountId,
      marketId: market.marketId,
      clientOrderId: null,
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'gtc',
      price,
      quantity,
      quoteQuantity: null,
    });
    expect(rejection).toBeNull();
  }
}

export interface Order {
  readonly order_id: string;
  readonly status: string;
  readonly fills: readonly Readonly<Record<string, string>>[];
  readonly [field: string]: unknown;
}

/** The caller's balances as `available locked` by token. */
export async function balancesOf(
  service: SpotService,
  as: Address,
): Promise<Readonly<Record<string, string>>> {
  const body = (await expectOk(service.call({ path: '/api/v1/spot/balances', as }))) as {
    items: { token: string; available: string; locked: string }[];
  };
  return Object.fromEntries(
    body.items.map(({ token, available, locked }) => [token, `${available} ${locked}`]),
  );
}

/** The body of an answer that must be a success. */
export async function expectOk(reply: Promise<Reply>): Promise<unknown> {
  const { status, body, text } = await reply;
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
  return body;
}

/** Status and body of an answer in one value. */
export async function outcomeOf(
  reply: Promise<Reply>,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, body } = await reply;
  return { status, body };
}
