const itemsPerMessage = 40;

/** What a snapshot of that many items counts beyond the message that requested it. */
export function snapshotCharge(items: number): number {
  return Math.floor(items / itemsPerMessage);
}
