/**
 * One fact and the tests that show it. The key is unique within its part. A test is named by its
 * file, without folder and ending, and by its title or the beginning of it: `file > title`.
 */
export type Row = readonly [key: string, fact: string, ...shownBy: readonly [string, ...string[]]];

/** The rows of one heading or table; its id begins the id of each of its rows. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

/** One chapter of the page. */
export interface Chapter {
  readonly title: string;
  readonly parts: readonly Part[];
}
