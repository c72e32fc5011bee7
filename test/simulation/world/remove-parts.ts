/** Whether a list still breaks the same rule; if so, it is the list from now on. */
export type Attempt<T> = (list: readonly T[]) => Promise<boolean>;

export const runsMax = 200;

/** Removes halves, quarters and so on from the present list. @returns the number of attempts */
export async function removeParts<T>(
  present: () => readonly T[],
  attempt: Attempt<T>,
  until: () => boolean,
): Promise<number> {
  let runs = 0;
  for (let size = Math.ceil(present().length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < present().length; ) {
      if (runs >= runsMax || until()) return runs;
      const left = present().filter((_, index) => index < from || index >= from + size);
      runs += 1;
      if (!(await attempt(left))) from += size;
    }
  }
  return runs;
}
