import { expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import { type Rules, rulesVersion } from '../../rules.ts';
import { findFuturesViolations } from '../futures-invariants.ts';

// A close-out can leave a position in a market that is being settled: its value cannot change any
// more, and the account's wallet may be negative until it is paid out.

const unit = 10n ** 8n;
const etherId = 1 as FuturesMarketId;

function setEther(futures: FuturesFixture, price: number): void {
  futures.done({ type: 'setIndexPrice', symbol: 'ETHUSDT', price: toAmount(BigInt(price) * unit) });
}

/**
 * An account with 1,001 and a profit of 1,000 in BTC at the mark, 499.24 at the settlement price,
 * has lost 1,450 in ETH when BTC is delisted. @returns what it ends with, and
 * what changes in the accounts of the exchange.
 */
function settle(rules: Rules): { readonly wallet: string; readonly house: string } {
  const futures = new FuturesFixture(btcTerms, rules);
  futures.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol: 'ETHUSDT' } });
  const [alice, bob] = [futures.fund(1, 1_017), futures.fund(2, 100_000)];
  futures.setIndex(20_000);
  setEther(futures, 3_000);
  futures.place(bob, 'sell', { price: 20_000, quantity: 0.1 });
  futures.place(alice, 'buy', { quantity: 0.1 });
  const marketId = etherId;
  futures.done({ type: 'setLeverage', accountId: alice, marketId, leverage: 125 });
  futures.place(bob, 'sell', { marketId, price: 3_000, quantity: 10 });
  futures.place(alice, 'buy', { marketId, quantity: 10 });
  for (let second = 0; second < 660; second += 1) {
    if (second % 30 === 0) {
      futures.setIndex(25_000);
      setEther(futures, 3_000);
    }
    futures.advance(1_000);
  }
  futures.setIndex(30_000);
  setEther(futures, 2_855);
  expect(futures.engine.futures.closeOutCount).toBe(0);
  const house = () => {
    const { futuresFees, insuranceFund, badDebt } = futures.engine.futures;
    return [futuresFees, insuranceFund, badDebt].map((each) => formatAmount(each)).join(' ');
  };
  const before = house();
  futures.done({
    type: 'setFuturesMarketStatus',
    symbol: 'BTCUSDT',
    status: 'delisted',
    settlementPrice: null,
    effectiveAt: null,
  });
  futures.advance(0);
  expect(findFuturesViolations(futures.engine.futures)).toEqual([]);
  expect(futures.engine.futures.getPosition(alice, etherId).quantity).toBe(0);
  expect(futures.position(alice).quantity).toBe(0);
  const after = house();
  return {
    wallet: formatAmount(futures.wallet(alice).walletBalance),
    house: before === after ? 'unchanged' : `${before} -> ${after}`,
  };
}

it('its loss in another market is paid by its own profit there, not by the house', () => {
  expect(settle(rulesVersion)).toEqual({ wallet: '50.24', house: 'unchanged' });
});

it('under rules 11 the exchange pays the loss, and the account keeps its profit', () => {
  expect(settle(11)).toEqual({
    wallet: '499.24',
    house: '22.4 0 0 -> 0 0 -426.6',
  });
});
