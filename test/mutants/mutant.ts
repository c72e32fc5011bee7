/** One planted fault: a piece of a source file that occurs there once, and its replacement. */
export interface Mutant {
  /** What the engine does wrong with it. */
  readonly name: string;
  /** Below src/engine. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Faults of one file. */
export function inFile(
  file: string,
  rows: readonly (readonly [name: string, from: string, to: string])[],
): readonly Mutant[] {
  return rows.map(([name, from, to]) => ({ name, file, from, to }));
}
