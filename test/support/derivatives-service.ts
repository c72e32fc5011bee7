import { expect } from 'vitest';
import type { AppliedCommand } from '../../src/application/ports/exchange.ts';
import { assert } from '../../src/domain/assert.ts';
import type { IndexPriceSource } from '../../src/domain/futures-market.ts';
import type { AccountId, Address, OrderNumber } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { PlaceFuturesOrder } from '../../src/engine/futures-commands.ts';
import { adminFuturesRoutes } from '../../src/gateway/http/admin/futures-routes.ts';
import { derivativeRoutes } from '../../src/gateway/http/derivatives/routes.ts';
import { expectOk, nextUser } from './spot-fixtures.ts';
import { type Reply, type RouteParts, SpotService } from './spot-service.ts';

/** The general endpoints of derivatives with the real engine, database and gateway. */
export async function startDerivatives(
  options: { readonly indexPriceSource?: IndexPriceSource } = {},
): Promise<DerivativesService> {
  const { indexPriceSource = 'admin' } = options;
  const service = await SpotService.start({
    routes: (parts) => {
      const ports = { ...derivativePorts(parts), indexPriceSource };
      return [derivativeRoutes(ports), adminFuturesRoutes(ports)];
    },
  });
  return new DerivativesService(service);
}

/** What the routes of derivatives need. */
export function derivativePorts(parts: RouteParts) {
  const { services } = parts;
  return {
    ...parts,
    database: services.health,
    futuresHistory: services.futuresHistory,
    marketStatistics: services.marketStatistics,
    vip: services.vip,
    users: services.users,
    audit: services.audit,
    log: { warn: () => undefined },
    newClientOrderId: () => `generated-${Math.random().toString(36).slice(2)}`,
  };
}

export interface EnvelopeReply {
  readonly status: number;
  readonly data: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export class DerivativesService {
  readonly spot: SpotService;
  #count = 0;

  constructor(spot: SpotService) {
    this.spot = spot;
  }

  close(): Promise<void> {
    return this.spot.close();
  }

  /** A market that no test used before: tick 0.1, lot 0.001, minimum 5, fees 2 and 5 bps. */
  async nextMarket(change: Readonly<Record<string, unknown>> = {}): Promise<string> {
    this.#count += 1;
    const symbol = `T${this.#count}USDT`;
    await expectOk(
      this.admin('POST', '/api/v1/admin/futures/markets', {
        symbol,
        base_asset: `T${this.#count}`,
        tick_size: '0.1',
        lot_size: '0.001',
        min_notional: '5',
        max_notional: '100000000',
        max_leverage: 100,
        maintenance_margin_rate: '0.004',
        maker_fee_bps: 2,
        taker_fee_bps: 5,
        ...change,
      }),
    );
    return symbol;
  }

  setIndex(symbol: string, price: string): Promise<unknown> {
    const path = `/api/v1/admin/futures/markets/${symbol}/index-price`;
    return expectOk(this.admin('PUT', path, { price }));
  }

  admin(method: 'POST' | 'PUT', path: string, body: object): Promise<Reply> {
    return this.spot.call({ method, path, isAdmin: true, body });
  }

  /** A user with that many USDT in the perp wallet. */
  async nextTrader(usdt = '1000000'): Promise<Address> {
    const address = await nextUser(this.spot, { USDT: usdt });
    const accountId = this.accountOf(address);
    const amount = BigInt(usdt) * 10n ** 8n;
    this.apply({
      type: 'transferFunds',
      accountId,
      direction: 'spot_to_perp',
      amount: amount as never,
      clientTransferId: null,
    });
    return address;
  }

  accountOf(address: Address): AccountId {
    const accountId = this.spot.exchange.engine.findAccount(address);
    assert(accountId !== null, 'the address has an account');
    return accountId;
  }

  apply(command: Parameters<SpotService['exchange']['apply']>[0]): AppliedCommand {
    const applied = this.spot.exchange.apply(command);
    expect(applied.rejection).toBeNull();
    return applied;
  }

  /** Lets the engine do all that is due by now. */
  advanceTime(): void {
    for (;;) {
      const { events } = this.apply({ type: 'advanceTime' });
      if (!events.some(({ type }) => type === 'timedWorkDue')) return;
    }
  }

  /** Places an order at the engine, prices in USDT, quantities in the base asset; its number. */
  place(as: Address, order: TestOrder): OrderNumber {
    const { events } = this.apply(this.order(as, order));
    for (const event of events) {
      if (event.type === 'futuresOrderUpdated' && event.cause === 'placed') {
        return event.order.orderNumber;
      }
    }
    throw new Error('a placed order has an event of its own');
  }

  order(as: Address, { symbol, side, quantity, price, ...rest }: TestOrder): PlaceFuturesOrder {
    const market = this.spot.exchange.engine.futures.findFuturesMarket(symbol);
    assert(market !== null, `${symbol} is a market`);
    const isMarket = price === undefined;
    return {
      type: 'placeFuturesOrder',
      accountId: this.accountOf(as),
      marketId: market.marketId,
      clientOrderId: null,
      side,
      orderType: isMarket ? 'market' : 'limit',
      timeInForce: isMarket ? 'ioc' : 'gtc',
      price: isMarket ? null : (Math.round(price * 10) as Ticks),
      quantity: Math.round(quantity * 1000) as Lots,
      worstPrice: null,
      stopPrice: null,
      triggerPriceKind: 'contract',
      activationPrice: null,
      callback: null,
      isReduceOnly: false,
      isClosePosition: false,
      isPriceProtected: false,
      priceMatch: 'none',
      selfTradeMode: 'expire_taker',
      goodTill: null,
      isAlgo: false,
      takeProfit: null,
      stopLoss: null,
      ...rest,
    };
  }

  async get(path: string, as?: Address, query?: Record<string, string>): Promise<EnvelopeReply> {
    return readEnvelope(
      await this.spot.call({
        path,
        ...(as === undefined ? {} : { as }),
        ...(query === undefined ? {} : { query }),
      }),
    );
  }

  async post(path: string, as: Address, body: unknown): Promise<EnvelopeReply> {
    return readEnvelope(await this.spot.call({ method: 'POST', path, as, body }));
  }

  /** The data of an answer that must be a success. */
  async read<T>(path: string, as?: Address, query?: Record<string, string>): Promise<T> {
    const { status, data, error } = await this.get(path, as, query);
    expect(`${status} ${error?.code ?? ''}`).toBe('200 ');
    return data as T;
  }
}

interface TestOrder extends Partial<Omit<PlaceFuturesOrder, 'price' | 'quantity' | 'side'>> {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price?: number;
}

/** Takes an envelope apart; its form is checked on the way. */
export function readEnvelope({ status, body }: Reply): EnvelopeReply {
  const envelope = body as EnvelopeReply & { success: boolean; timestamp: number };
  expect(Object.keys(envelope).sort()).toEqual(['data', 'error', 'success', 'timestamp']);
  expect(envelope.success).toBe(status === 200);
  expect(Number.isInteger(envelope.timestamp)).toBe(true);
  return { status, data: envelope.data, error: envelope.error };
}
