import { type Decimal, decimalScale, formatDecimal } from '../../domain/decimal.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type PriceGrid,
  type QuantityGrid,
  type Ticks,
} from '../../domain/spot-market.ts';

// The same prices recur, so their texts are cached; quantities differ.

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
  if (quantity === 0) return '0';
  if (lastStep === null || lastStep.size !== market.lotSize) lastStep = decimalStep(market.lotSize);
  const units = quantity * lastStep.units;
  if (Number.isSafeInteger(units)) return formatUnits(units, lastStep);
  return formatDecimal(decimalFromLots(market, quantity));
}

/** A lot as whole units of 10^-places. */
interface DecimalStep {
  readonly size: Decimal;
  readonly units: number;
  readonly places: number;
  readonly unitsPerOne: number;
}

// Most batches trade in one market at a time, so the last step is cached.
let lastStep: DecimalStep | null = null;

function decimalStep(size: Decimal): DecimalStep {
  let units: bigint = size;
  let places = decimalScale;
  while (places > 0 && units % 10n === 0n) {
    units /= 10n;
    places -= 1;
  }
  return { size, units: Number(units), places, unitsPerOne: 10 ** places };
}

// In whole numbers below 2^53, which is exact and avoids a bigint for each row.
function formatUnits(units: number, { places, unitsPerOne }: DecimalStep): string {
  const rest = units % unitsPerOne;
  const whole = (units - rest) / unitsPerOne;
  if (rest === 0) return String(whole);
  const digits = String(rest).padStart(places, '0');
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  return `${whole}.${digits.slice(0, end)}`;
}
