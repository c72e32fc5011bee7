// Point events made inside PostgreSQL, and their sums by account and day as the projector's accrual
// writes them. An event is a fee paid, a profit or loss, a position held for an hour, or a fee that
// a referee paid; its amount is what it is worth in points, before a day's losses and rounding.

/** Account, kind and amount of $2 random events of $1 accounts; a few do most of it. */
export const randomEvents = `
  SELECT 1 + floor(power(random(), 1.5) * $1::integer)::bigint AS account_id,
    CASE WHEN random() < 0.7 THEN 0 ELSE 1 + floor(random() * 3)::integer END AS kind,
    round((random() * 3)::numeric, 8) AS amount
  FROM generate_series(1, $2::integer)`;

const hourMs = 3_600_000;
/** What an event's amount is as a fact; a profit may be a loss. */
export const factScales = { profit: 10, profitShift: 1, heldUsdt: 1_000, refereeFees: 10 } as const;

const heldScale = `(1000 * 1e26::numeric * ${hourMs})`;

/** Writes the events' days; the day is $3 unless the events have one. */
export function daysOfEvents(events: string, day = '$3::integer'): string {
  return `
  INSERT INTO points_days (day, account_id, fees_paid, realized_profit, value_held, referee_fees,
    trading, pnl, holding, referral, total)
  SELECT day, account_id, fees_paid, realized_profit, value_held, referee_fees,
    trading, pnl, holding, referral, trading + pnl + holding + referral
  FROM (
    SELECT *, fees_paid AS trading, trunc(greatest(realized_profit, 0) / 10, 8) AS pnl,
      trunc(value_held / ${heldScale}, 8) AS holding, trunc(referee_fees / 10, 8) AS referral
    FROM (
      SELECT ${day} AS day, account_id,
        coalesce(sum(amount) FILTER (WHERE kind = 0), 0) AS fees_paid,
        coalesce(sum((amount - 1) * 10) FILTER (WHERE kind = 1), 0) AS realized_profit,
        trunc(coalesce(sum(amount) FILTER (WHERE kind = 2), 0) * ${heldScale}) AS value_held,
        coalesce(sum(amount * 10) FILTER (WHERE kind = 3), 0) AS referee_fees
      FROM (${events}) AS event GROUP BY ${day === '$3::integer' ? '' : `${day}, `}account_id
    ) AS facts
  ) AS counted`;
}

/** Sums all days up to one epoch, without the cap. */
export const epochOfDays = `
  INSERT INTO points_epochs (epoch, account_id, trading, pnl, holding, referral, total,
    fees_paid, pnl_earned, holding_earned)
  SELECT 1, account_id, sum(trading), sum(pnl), sum(holding), sum(referral), sum(total),
    sum(fees_paid), sum(pnl), sum(holding)
  FROM points_days GROUP BY account_id`;
