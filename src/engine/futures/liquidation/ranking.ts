import { BestRanked } from './best-ranked.ts';

/** How many accounts a ranking keeps. */
const keptMax = 256;

/** A position's direction: a long gains as the price rises, a short as it falls. */
export type PositionSide = 'long' | 'short';

/** The best positions of one side of a market; built over several commands. */
export class Ranking {
  /** The account to continue with. */
  nextAccountId = 1;
  /** The engine's time in milliseconds; null while accounts are still to be examined. */
  finishedAt: number | null = null;
  readonly best = new BestRanked(keptMax);
  /** In ticks, where a close-out wants to trade with them; null if they are not judged by it. */
  readonly price: number | null;

  constructor(price: number | null) {
    this.price = price;
  }
}
