import { type Amount, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { TokenId } from '../../domain/identifiers.ts';
import { grownBigInts } from '../storage/int64.ts';

// Each token knows how much of it was credited and not withdrawn. Nothing in the exchange can make
// that sum larger than a column holds, so no balance, lock or fee can overflow either.

/** The tokens by number from 0 on, with what was issued of each and what fees took. */
export class Tokens {
  private readonly ids = new Map<string, TokenId>();
  private readonly symbols: string[] = [];
  private issued = new BigInt64Array(16);
  private fees = new BigInt64Array(16);

  get count(): number {
    return this.symbols.length;
  }

  find(symbol: string): TokenId | null {
    return this.ids.get(symbol) ?? null;
  }

  getSymbol(tokenId: TokenId): string {
    const symbol = this.symbols[tokenId];
    assert(symbol !== undefined, `there is no token ${tokenId}`);
    return symbol;
  }

  /** The symbol must not be known yet. */
  add(symbol: string): TokenId {
    const tokenId = (this.symbols.push(symbol) - 1) as TokenId;
    this.ids.set(symbol, tokenId);
    if (this.symbols.length > this.issued.length) {
      this.issued = grownBigInts(this.issued, this.symbols.length);
      this.fees = grownBigInts(this.fees, this.symbols.length);
    }
    return tokenId;
  }

  getIssued(tokenId: TokenId): Amount {
    return toAmount(this.issued[tokenId] ?? 0n);
  }

  issue(tokenId: TokenId, amount: bigint): void {
    this.issued[tokenId] = BigInt.asIntN(64, (this.issued[tokenId] as bigint) + amount);
  }

  /** Takes out of the exchange what was issued. */
  redeem(tokenId: TokenId, amount: bigint): void {
    this.issued[tokenId] = BigInt.asIntN(64, (this.issued[tokenId] as bigint) - amount);
  }

  getFees(tokenId: TokenId): Amount {
    return toAmount(this.fees[tokenId] ?? 0n);
  }

  collectFee(tokenId: TokenId, fee: bigint): void {
    this.fees[tokenId] = BigInt.asIntN(64, (this.fees[tokenId] as bigint) + fee);
  }
}
