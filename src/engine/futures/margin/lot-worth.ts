import { decimalOne } from '../../../domain/decimal.ts';
import { ceilDivide, ceilDivide64 } from '../../../domain/rounding.ts';
import { int64 } from '../../storage/int64.ts';
import { stakeMax } from './stakes.ts';

/** The largest number that the compiler stores without allocation on every machine. */
const countMax = 2 ** 30 - 1;

/**
 * The value of one lot at a price, in parts that keep the value of usual quantities within 64-bit
 * arithmetic: the margins of all positions change with every mark price, and would otherwise become
 * garbage.
 */
export class LotWorth {
  /**
   * The maximum number of lots computed in parts: up to this, none are worth more than stakeMax.
   */
  lotsMax = countMax;
  /** In 10^-26 USDT. */
  private exact = 0n;
  /** The same as whole + part / unit, in 10^-8 USDT. */
  private whole = 0n;
  private part = 0n;
  private readonly unit: bigint;
  private readonly lotSize: bigint;

  constructor(lotSize: bigint) {
    this.lotSize = lotSize;
    this.unit = decimalOne / greatestDivisor(lotSize, decimalOne);
  }

  /** Sets the price for one whole base asset. */
  setPrice(price: bigint): void {
    this.exact = this.lotSize * price;
    this.whole = this.exact / decimalOne;
    this.part = (this.exact % decimalOne) / (decimalOne / this.unit);
    const largest = this.whole > this.part ? this.whole : this.part;
    this.lotsMax = Math.min(Number(stakeMax / (largest + 1n)), countMax);
  }

  /** The value of the lots, rounded down. */
  down(lots: number): bigint {
    if (lots > this.lotsMax) return (BigInt(lots) * this.exact) / decimalOne;
    const count = int64(lots);
    const parts = BigInt.asIntN(64, count * BigInt.asIntN(64, this.part));
    const rest = BigInt.asIntN(64, parts / BigInt.asIntN(64, this.unit));
    return BigInt.asIntN(64, BigInt.asIntN(64, count * BigInt.asIntN(64, this.whole)) + rest);
  }

  /** The same, rounded up. */
  up(lots: number): bigint {
    if (lots > this.lotsMax) return ceilDivide(BigInt(lots) * this.exact, decimalOne);
    const count = int64(lots);
    const parts = BigInt.asIntN(64, count * BigInt.asIntN(64, this.part));
    const rest = ceilDivide64(parts, this.unit);
    return BigInt.asIntN(64, BigInt.asIntN(64, count * BigInt.asIntN(64, this.whole)) + rest);
  }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
