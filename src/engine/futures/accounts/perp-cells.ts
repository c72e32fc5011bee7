import { assert } from '../../../domain/assert.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PostingCode } from '../../ledger/postings.ts';
import type { Tokens } from '../../ledger/tokens.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import type { FuturesAccount } from './futures-account.ts';

/** The token of the perp wallet. */
export const perpToken = 'USDT';

/** Looks up the ledger cells of the futures side. They are opened when money first moves. */
export class PerpCells {
  readonly ledger: Ledger;
  private readonly tokens: Tokens;

  constructor(ledger: Ledger, tokens: Tokens) {
    this.ledger = ledger;
    this.tokens = tokens;
  }

  /** The number of the perp wallet's token. @throws AssertionError if it has never come in. */
  get tokenId(): number {
    const tokenId = this.tokens.find(perpToken);
    assert(tokenId !== null, `${perpToken} has never been deposited`);
    return tokenId;
  }

  /** The wallet's cell, or -1 if it was never opened. */
  findWallet(accountId: number): number {
    const tokenId = this.tokens.find(perpToken);
    return tokenId === null ? -1 : this.ledger.findPerp(accountId, tokenId);
  }

  wallet(account: FuturesAccount): number {
    if (account.walletCell < 0) {
      account.walletCell = this.ledger.openPerp(account.accountId, this.tokenId);
    }
    return account.walletCell;
  }

  /** The cell of the wallet's money that is set aside for withdrawals. */
  leaving(account: FuturesAccount): number {
    return this.wallet(account) + 1;
  }

  /** The counter cell of the market's realized profits: minus the sum of its signed entries. */
  clearing(market: FuturesMarketState): number {
    if (market.clearingCell < 0) {
      market.clearingCell = this.ledger.openMarket(market.terms.marketId, this.tokenId);
    }
    return market.clearingCell;
  }

  /** The cell of funding that was collected and not yet paid out. */
  funding(market: FuturesMarketState): number {
    return this.clearing(market) + 1;
  }

  feeRevenue(): number {
    return this.ledger.feeRevenue(this.tokenId);
  }

  insurance(): number {
    return this.ledger.insurance(this.tokenId);
  }

  badDebt(): number {
    return this.ledger.badDebt(this.tokenId);
  }

  /** The cell of the insurance fund's reservation for the account's close-out. */
  insuranceHeld(accountId: number): number {
    return this.ledger.openInsuranceHeld(accountId, this.tokenId);
  }

  /**
   * Moves a positive change from the cell to the wallet, or a negative one from the wallet to it.
   */
  postToWallet(account: FuturesAccount, cell: number, change: bigint, code: PostingCode): void {
    const wallet = this.wallet(account);
    if (change > 0n) this.ledger.post(cell, wallet, change, code);
    else this.ledger.post(wallet, cell, -change, code);
  }
}
