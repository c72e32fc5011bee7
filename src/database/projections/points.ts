import type { AccountId } from '../../domain/identifiers.ts';
import { addFacts, type DayFacts, noFacts } from '../../programs/points/day-facts.ts';
import { type DayNumber, dayOf } from '../../programs/points/epochs.ts';
import { countHoldings } from '../points/count-holdings.ts';
import { type AccountDay } from '../points/points-change.ts';
import { keyOfDay, writePoints } from '../points/write-points.ts';
import type { OutcomeBatch } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { batchFees } from '../referral/batch-fees.ts';
import type { RelationsHistory } from '../referral/relations-history.ts';
import type { PlacedFee } from '../referral/write-earnings.ts';

// What the batch adds to the days of its accounts: fees, referees' fees, realized profit, and the
// value of open positions. The pure rules compute points from the days' sums, so a day can be
// counted in any number of parts; the position in the journal makes everything count once.

export const pointsProjection: Projection = {
  name: 'points',
  async project(batch, context) {
    const days = new DayBook();
    const { fees, history } = await batchFees(batch, context);
    for (const { fee, timestamp } of fees) {
      days.add(fee.payer, dayOf(timestamp), { feesPaid: fee.value });
    }
    if (history !== null) addRefereeFees(days, fees, history);
    addProfits(days, batch);
    for (const { accountId, day, valueHeld } of await countHoldings(batch, context)) {
      days.add(accountId, day, { valueHeld });
    }
    return writePoints(context.statements, days.entries, context.directory.pointsTerms);
  },
};

class DayBook {
  readonly #days = new Map<string, AccountDay>();

  add(accountId: AccountId, day: DayNumber, facts: Partial<DayFacts>): void {
    const key = keyOfDay(accountId, day);
    const known = this.#days.get(key)?.facts ?? noFacts;
    this.#days.set(key, { accountId, day, facts: addFacts(known, facts) });
  }

  get entries(): readonly AccountDay[] {
    return [...this.#days.values()];
  }
}

/**
 * A fee counts for the account that had referred its payer at that time; a suspended agent earns
 * nothing.
 */
function addRefereeFees(
  days: DayBook,
  fees: readonly PlacedFee[],
  history: RelationsHistory,
): void {
  for (const { fee, sequence, timestamp } of fees) {
    const relations = history.at(sequence);
    const referrer = relations.findReferral(fee.payer)?.referrer;
    if (referrer === undefined || relations.findAgent(referrer)?.status !== 'active') continue;
    days.add(referrer, dayOf(timestamp), { refereeFees: fee.value });
  }
}

function addProfits(days: DayBook, batch: OutcomeBatch): void {
  for (const { event, outcome } of batch.eventsOf('futuresTradeExecuted')) {
    for (const { accountId, realizedProfit } of [event.trade.maker, event.trade.taker]) {
      if (realizedProfit !== 0n) days.add(accountId, dayOf(outcome.timestamp), { realizedProfit });
    }
  }
}
