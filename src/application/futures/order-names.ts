import type {
  FuturesOrder,
  FuturesOrderType,
  TriggerPriceKind,
} from '../../domain/futures-order.ts';

// How Binance names what belongs to an order, the same in its answers and in its events.

const triggeredTypes: Readonly<Partial<Record<FuturesOrderType, 'LIMIT' | 'MARKET'>>> = {
  stop: 'LIMIT',
  take_profit: 'LIMIT',
  stop_market: 'MARKET',
  take_profit_market: 'MARKET',
  trailing_stop_market: 'MARKET',
};

/** What the order trades as since it has triggered; null if it has not. */
export function triggeredTypeOf({ type, triggeredAt }: FuturesOrder): 'LIMIT' | 'MARKET' | null {
  return triggeredAt === null ? null : (triggeredTypes[type] ?? null);
}

/** The client order id; an order without one gets a name by its origin. */
export function clientOrderIdOf({ clientOrderId, origin, orderNumber }: FuturesOrder): string {
  if (clientOrderId !== null) return clientOrderId;
  if (origin === 'liquidation') return `autoclose-${orderNumber}`;
  return origin === 'auto_deleveraging' ? 'adl_autoclose' : `web_${orderNumber}`;
}

/** The price that a trigger watches. */
export function workingTypeOf(kind: TriggerPriceKind): 'MARK_PRICE' | 'CONTRACT_PRICE' {
  return kind === 'mark' ? 'MARK_PRICE' : 'CONTRACT_PRICE';
}
