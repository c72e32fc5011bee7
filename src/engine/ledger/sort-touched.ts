/** The number of ints of a ledger record, and the positions of owner and token among them. */
export const recordInts = 8;
export const ownerAt = 4;
export const tokenAt = 5;

const sortByInsertionMax = 24;

/** Sorts the first records of a list by owner and token; most commands touch only a few. */
export function sortByOwner(records: Int32Array, count: number, ints: Int32Array): void {
  if (count > sortByInsertionMax) {
    records.subarray(0, count).sort((left, right) => compare(ints, left, right));
    return;
  }
  for (let index = 1; index < count; index += 1) {
    const record = records[index] as number;
    let at = index;
    while (at > 0 && compare(ints, records[at - 1] as number, record) > 0) {
      records[at] = records[at - 1] as number;
      at -= 1;
    }
    records[at] = record;
  }
}

function compare(ints: Int32Array, left: number, right: number): number {
  const leftAt = left * recordInts;
  const rightAt = right * recordInts;
  const byOwner = (ints[leftAt + ownerAt] as number) - (ints[rightAt + ownerAt] as number);
  if (byOwner !== 0) return byOwner;
  return (ints[leftAt + tokenAt] as number) - (ints[rightAt + tokenAt] as number);
}
