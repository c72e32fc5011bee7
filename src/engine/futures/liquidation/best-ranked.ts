/**
 * The best of the accounts that were added: higher scores first, and the older account first among
 * equal scores. Stored in columns, since garbage collection would copy heap objects for all of
 * them.
 */
export class BestRanked {
  private readonly accountIds: Int32Array;
  private readonly scores: BigInt64Array;
  /** Scores by account that do not fit into the column. */
  private readonly wideScores = new Map<number, bigint>();
  private length = 0;

  constructor(countMax: number) {
    this.accountIds = new Int32Array(countMax);
    this.scores = new BigInt64Array(countMax);
  }

  get count(): number {
    return this.length;
  }

  /** The account at a place, counted from 0, the best first. */
  accountIdAt(place: number): number {
    return this.accountIds[place] as number;
  }

  /** The score of the account at a place. */
  scoreAt(place: number): bigint {
    return this.wideScores.get(this.accountIdAt(place)) ?? (this.scores[place] as bigint);
  }

  /** Inserts the account if it ranks high enough, which can drop the last one. */
  add(accountId: number, score: bigint): void {
    const { accountIds, scores, wideScores } = this;
    const isFull = this.length === accountIds.length;
    if (isFull) {
      if (!this.isBefore(accountId, score, this.length - 1)) return;
      wideScores.delete(this.accountIdAt(this.length - 1));
      this.length -= 1;
    }
    const place = this.placeOf(accountId, score);
    accountIds.copyWithin(place + 1, place, this.length);
    scores.copyWithin(place + 1, place, this.length);
    accountIds[place] = accountId;
    scores[place] = BigInt.asIntN(64, score);
    if (scores[place] !== score) wideScores.set(accountId, score);
    this.length += 1;
  }

  private placeOf(accountId: number, score: bigint): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.isBefore(accountId, score, middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private isBefore(accountId: number, score: bigint, place: number): boolean {
    const other = this.scoreAt(place);
    return score === other ? accountId < this.accountIdAt(place) : score > other;
  }
}
