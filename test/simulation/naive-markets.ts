import type { MarketId } from '../../src/domain/identifiers.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import type { SpotMarket } from '../../src/domain/spot-market.ts';
import type {
  CreateSpotMarket,
  CreditBalance,
  SetSpotMarketStatus,
} from '../../src/engine/commands.ts';
import { naiveAmountMax, naiveUnits } from './naive-arithmetic.ts';
import { NaiveWallet } from './naive-wallet.ts';

/** The administrator's part of the plain engine: markets and test money. */
export class NaiveMarkets extends NaiveWallet {
  protected credit(command: CreditBalance): Rejection | null {
    const { address, token, amount, actor, reason, reference } = command;
    if (amount <= 0n) return { reason: 'amount_not_positive' };
    if (reference !== null && this.references.includes(reference)) return null;
    if (!this.hasRoom(token, amount)) return { reason: 'amount_out_of_range' };
    const accountId = this.openAccount(address);
    const tokenId = this.addToken(token);
    this.token(tokenId).issued += amount;
    this.cell(accountId, tokenId).available += amount;
    if (reference !== null) this.references.push(reference);
    const credited = { accountId, tokenId, amount, actor, reason, reference };
    this.events.push({ type: 'balanceCredited', ...credited });
    return null;
  }

  protected createMarket({ terms }: CreateSpotMarket): Rejection | null {
    const fees = [terms.makerFeeBps, terms.takerFeeBps];
    const areFeesSound = fees.every((bps) => Number.isInteger(bps) && bps >= 0 && bps <= 10_000);
    const isMinimumSound = terms.minNotional >= 0n && terms.minNotional <= naiveAmountMax;
    if (terms.baseToken === terms.quoteToken || !areFeesSound || !isMinimumSound) {
      return { reason: 'market_terms_invalid' };
    }
    const units = naiveUnits(terms.tickSize, terms.lotSize);
    if (units === null) return { reason: 'market_units_too_fine' };
    if (units.lotAmount > naiveAmountMax || units.tickLotAmount > naiveAmountMax) {
      return { reason: 'market_terms_invalid' };
    }
    if (this.findSpotMarket(terms.symbol) !== null) return { reason: 'market_exists' };
    const market: SpotMarket = {
      ...terms,
      ...units,
      marketId: this.markets.length as MarketId,
      baseTokenId: this.addToken(terms.baseToken),
      quoteTokenId: this.addToken(terms.quoteToken),
      status: 'listed',
      createdAt: this.now,
    };
    this.markets.push({ terms: market, buy: [], sell: [], updateId: 0 });
    this.events.push({ type: 'spotMarketCreated', market });
    return null;
  }

  protected setStatus({ symbol, status }: SetSpotMarketStatus): Rejection | null {
    const market = this.markets.find(({ terms }) => terms.symbol === symbol);
    if (market === undefined) return { reason: 'market_not_found' };
    if (!['listed', 'halted', 'delisted'].includes(status)) {
      return { reason: 'market_status_unknown' };
    }
    if (market.terms.status === status) return null;
    if (market.terms.status === 'delisted') return { reason: 'market_status_final' };
    market.terms = { ...market.terms, status };
    this.events.push({
      type: 'spotMarketStatusChanged',
      marketId: market.terms.marketId,
      status,
    });
    if (status === 'delisted') {
      for (const order of [...market.buy, ...market.sell]) this.cancelOrder(market, order);
    }
    return null;
  }
}
