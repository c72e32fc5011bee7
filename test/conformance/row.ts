/** One row of the interface and which tests show it: every pattern needs a passing test. */
export interface InterfaceRow {
  readonly text: string;
  readonly shownBy: readonly RegExp[];
}

export interface InterfacePart {
  readonly title: string;
  readonly rows: readonly InterfaceRow[];
}

/** Patterns are looked for in `file > describe > test`. */
export function row(text: string, ...shownBy: readonly RegExp[]): InterfaceRow {
  return { text, shownBy };
}
