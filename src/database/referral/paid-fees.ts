import { type TradeSide, valueSpotFee } from '../../programs/referral/fee-value.ts';
import type { PaidFee } from '../../programs/referral/share-fee.ts';
import type { Directory } from '../projector/directory.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { PlacedFee } from './write-earnings.ts';

const sides: readonly TradeSide[] = ['maker', 'taker'];

/**
 * Every fee of the batch that has a value in USDT, in journal order. Called once for a batch, since
 * its trades are added to the recent prices of their markets.
 */
export function paidFeesOf(batch: OutcomeBatch, directory: Directory): readonly PlacedFee[] {
  const fees = [...spotFeesOf(batch, directory), ...futuresFeesOf(batch)];
  // Each list is in order; the merged one has to be too, since a batch's first and last fee bound
  // it.
  return fees.sort((left, right) => left.sequence - right.sequence);
}

function spotFeesOf(batch: OutcomeBatch, directory: Directory): readonly PlacedFee[] {
  const fees: PlacedFee[] = [];
  for (const { event, outcome } of batch.eventsOf('spotTradeExecuted')) {
    const { sequence, timestamp } = outcome;
    const { trade } = event;
    const market = directory.getMarket(trade.marketId);
    const prices = directory.getRecentPrices(trade.marketId);
    prices.add(timestamp, trade.price);
    const price = prices.countedPrice(market, trade.price);
    const counted = price === trade.price ? trade : { ...trade, price };
    for (const side of sides) {
      const isFree = (side === 'maker' ? trade.makerFee : trade.takerFee) === 0n;
      if (isFree) continue;
      const value = valueSpotFee(market, counted, side);
      if (value === null) continue;
      const payer = side === 'maker' ? trade.makerAccountId : trade.takerAccountId;
      const { tradeNumber } = trade;
      const fee: PaidFee = { businessLine: 'spot', tradeNumber, side, payer, value };
      fees.push({ fee, sequence, timestamp });
    }
  }
  return fees;
}

// Fees of perpetuals are always in USDT.
function futuresFeesOf(batch: OutcomeBatch): readonly PlacedFee[] {
  const fees: PlacedFee[] = [];
  for (const { event, outcome } of batch.eventsOf('futuresTradeExecuted')) {
    const { sequence, timestamp } = outcome;
    const { tradeNumber } = event.trade;
    for (const side of sides) {
      const { accountId: payer, fee: value } = event.trade[side];
      if (value === 0n) continue;
      const fee: PaidFee = { businessLine: 'futures', tradeNumber, side, payer, value };
      fees.push({ fee, sequence, timestamp });
    }
  }
  return fees;
}
