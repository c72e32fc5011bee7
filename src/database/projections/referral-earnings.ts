import type { AccountId } from '../../domain/identifiers.ts';
import { type TradeSide, valueSpotFee } from '../../programs/referral/fee-value.ts';
import { type PaidFee, shareFee } from '../../programs/referral/share-fee.ts';
import type { Directory } from '../projector/directory.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { RelationsHistory } from '../referral/relations-history.ts';
import { type PlacedFee, writeEarnings } from '../referral/write-earnings.ts';

// Every fee of a batch is shared by the pure rule, in the transaction that writes the trade itself,
// so that a trade has its earnings exactly when it is in the database, and has them once.

export const referralEarningsProjection: Projection = {
  name: 'referral_earnings',
  async project(batch, { statements, directory }) {
    const fees = feesOf(batch, directory);
    const first = fees[0]?.sequence;
    const last = fees.at(-1)?.sequence;
    if (first === undefined || last === undefined) return 0;
    const payers = [...new Set<AccountId>(fees.map(({ fee }) => fee.payer))];
    const history = await RelationsHistory.load(statements, payers, { first, last });
    if (history === null) return 0;
    const earnings = fees.flatMap((placed) =>
      shareFee(placed.fee, history.at(placed.sequence)).map((earning) => ({ ...placed, earning })),
    );
    if (earnings.length > 0) await writeEarnings(statements, earnings);
    return earnings.length;
  },
};

const sides: readonly TradeSide[] = ['maker', 'taker'];

function feesOf(batch: OutcomeBatch, directory: Directory): readonly PlacedFee[] {
  const fees = [...spotFeesOf(batch, directory), ...futuresFeesOf(batch)];
  // Each list is in order; together they have to be, since a batch's first and last fee bound it.
  return fees.sort((left, right) => left.sequence - right.sequence);
}

function spotFeesOf(batch: OutcomeBatch, directory: Directory): readonly PlacedFee[] {
  const fees: PlacedFee[] = [];
  for (const { event, outcome } of batch.eventsOf('spotTradeExecuted')) {
    const { sequence, timestamp } = outcome;
    const { trade } = event;
    for (const side of sides) {
      const isFree = (side === 'maker' ? trade.makerFee : trade.takerFee) === 0n;
      if (isFree) continue;
      const value = valueSpotFee(directory.getMarket(trade.marketId), trade, side);
      if (value === null) continue;
      const payer = side === 'maker' ? trade.makerAccountId : trade.takerAccountId;
      const { tradeNumber } = trade;
      const fee: PaidFee = { businessLine: 'spot', tradeNumber, side, payer, value };
      fees.push({ fee, sequence, timestamp });
    }
  }
  return fees;
}

// Fees of perpetuals are in USDT anyway.
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
