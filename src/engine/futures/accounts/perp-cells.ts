import { assert } from '../../../domain/assert.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PostingCode } from '../../ledger/postings.ts';
import type { Tokens } from '../../ledger/tokens.ts';

/** The token of the perp wallet. */
export const perpToken = 'USDT';

/** An account with its wallet's cell in the ledger, which is -1 before money first moves. */
interface WalletOwner {
  readonly accountId: number;
  walletCell: number;
}

/** A market with its counter cell in the ledger, which is -1 before money first moves. */
interface CellsOfMarket {
  readonly terms: { readonly marketId: FuturesMarketId };
  clearingCell: number;
}

/** Looks up the ledger cells of the futures side. They are opened when money first moves. */
export class PerpCells {
  readonly ledger: Ledger;
  private readonly tokens: Tokens;
  /** See `tokenId`, which never changes once it is known; -1 before. */
  private knownTokenId = -1;

  constructor(ledger: Ledger, tokens: Tokens) {
    this.ledger = ledger;
    this.tokens = tokens;
  }

  /** The number of the perp wallet's token. @throws AssertionError if it has never come in. */
  get tokenId(): number {
    if (this.knownTokenId < 0) {
      const tokenId = this.tokens.find(perpToken);
      assert(tokenId !== null, `${perpToken} has never been deposited`);
      this.knownTokenId = tokenId;
    }
    return this.knownTokenId;
  }

  /** The wallet's cell, or -1 if it was never opened. */
  findWallet(accountId: number): number {
    const tokenId = this.tokens.find(perpToken);
    return tokenId === null ? -1 : this.ledger.findPerp(accountId, tokenId);
  }

  /** The wallet’s cell, opened if it is missing. */
  wallet(account: WalletOwner): number {
    if (account.walletCell < 0) {
      account.walletCell = this.ledger.openPerp(account.accountId, this.tokenId);
    }
    return account.walletCell;
  }

  /** The cell of the wallet's money that is set aside for withdrawals. */
  leaving(account: WalletOwner): number {
    return this.wallet(account) + 1;
  }

  /** The counter cell of the market's realized profits: minus the sum of its signed entries. */
  clearing(market: CellsOfMarket): number {
    if (market.clearingCell < 0) {
      market.clearingCell = this.ledger.openMarket(market.terms.marketId, this.tokenId);
    }
    return market.clearingCell;
  }

  /** The cell of funding that was collected and not yet paid out. */
  funding(market: CellsOfMarket): number {
    return this.clearing(market) + 1;
  }

  /** The cell of the trading fees collected. */
  feeRevenue(): number {
    return this.ledger.feeRevenue(this.tokenId);
  }

  /** The cell of the insurance fund’s free part. */
  insurance(): number {
    return this.ledger.insurance(this.tokenId);
  }

  /** The cell of losses that nobody has paid; never positive. */
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
  postToWallet(account: WalletOwner, cell: number, change: bigint, code: PostingCode): void {
    const wallet = this.wallet(account);
    if (change > 0n) this.ledger.post(cell, wallet, change, code);
    else this.ledger.post(wallet, cell, -change, code);
  }
}
