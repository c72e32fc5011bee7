import { assert } from '../../domain/assert.ts';
import type { TokenId } from '../../domain/identifiers.ts';

/** The tokens that have been used here, numbered from 0 in the order of first use. */
export class Tokens {
  private readonly ids = new Map<string, TokenId>();
  private readonly symbols: string[] = [];

  get count(): number {
    return this.symbols.length;
  }

  /** Null for an unknown symbol. */
  find(symbol: string): TokenId | null {
    return this.ids.get(symbol) ?? null;
  }

  /** @throws AssertionError if the token does not exist. */
  getSymbol(tokenId: TokenId): string {
    const symbol = this.symbols[tokenId];
    assert(symbol !== undefined, `there is no token ${tokenId}`);
    return symbol;
  }

  /** The symbol must be new. */
  add(symbol: string): TokenId {
    const tokenId = (this.symbols.push(symbol) - 1) as TokenId;
    this.ids.set(symbol, tokenId);
    return tokenId;
  }
}
