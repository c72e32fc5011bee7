import type { AccountId } from '../../domain/identifiers.ts';
import { shareFee } from '../../programs/referral/share-fee.ts';
import type { Projection } from '../projector/projection.ts';
import { paidFeesOf } from '../referral/paid-fees.ts';
import { RelationsHistory } from '../referral/relations-history.ts';
import { writeEarnings } from '../referral/write-earnings.ts';

// Every fee of a batch is shared by the pure rule, in the transaction that writes the trade itself,
// so that a trade has its earnings exactly when it is in the database, and has them once.

export const referralEarningsProjection: Projection = {
  name: 'referral_earnings',
  async project(batch, { statements, directory }) {
    const fees = paidFeesOf(batch, directory);
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
