import { shareFee } from '../../programs/referral/share-fee.ts';
import type { Projection } from '../projector/projection.ts';
import { batchFees } from '../referral/batch-fees.ts';
import { writeEarnings } from '../referral/write-earnings.ts';

// The pure rule shares every fee of a batch in the transaction that writes the trade itself, so
// that a trade has its earnings exactly when it is in the database, and has them once.

export const referralEarningsProjection: Projection = {
  name: 'referral_earnings',
  async project(batch, context) {
    const { fees, history } = await batchFees(batch, context);
    if (history === null) return 0;
    const earnings = fees.flatMap((placed) =>
      shareFee(placed.fee, history.at(placed.sequence)).map((earning) => ({ ...placed, earning })),
    );
    if (earnings.length > 0) await writeEarnings(context.statements, earnings);
    return earnings.length;
  },
};
