import { formatDecimal } from '../../domain/decimal.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type PriceGrid,
  type QuantityGrid,
  type Ticks,
} from '../../domain/spot-market.ts';

// The same prices come again and again, so their texts are kept; quantities differ.

const pricesKeptMax = 20_000;
const pricesByTick = new Map<bigint, Map<Ticks, string>>();

export function formatPrice(market: PriceGrid, price: Ticks): string {
  let texts = pricesByTick.get(market.tickSize);
  if (texts === undefined || texts.size > pricesKeptMax) {
    texts = new Map();
    pricesByTick.set(market.tickSize, texts);
  }
  let text = texts.get(price);
  if (text === undefined) {
    text = formatDecimal(decimalFromTicks(market, price));
    texts.set(price, text);
  }
  return text;
}

export function formatQuantity(market: QuantityGrid, quantity: Lots): string {
  return quantity === 0 ? '0' : formatDecimal(decimalFromLots(market, quantity));
}
