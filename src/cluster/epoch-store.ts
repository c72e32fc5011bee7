/**
 * The newest epoch that a candidate has claimed, stored where it survives the loss of the log: an
 * owner whose log may have lost entries sees there whether another process has begun since.
 */
export interface EpochStore {
  /** @throws Error if it does not answer */
  load(): Promise<number>;
  /**
   * Claims the epoch; false if it or a later one is claimed already.
   * @throws Error if it does not answer: then it may be claimed
   */
  raise(epoch: number): Promise<boolean>;
}
