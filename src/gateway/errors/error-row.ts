/** One row of a surface's published error table. */
export interface ErrorRow {
  readonly status: number;
  /** For programs: a word, or a negative number on the exchange surface. */
  readonly code: string | number;
  /** For people. In code and text `<name>` is replaced by the value of that name. */
  readonly text: string;
  /** HTML that is sent instead of a body. */
  readonly page?: string;
}

export type ErrorCatalog = Readonly<Record<string, ErrorRow>>;

export type ErrorValues = Readonly<Record<string, string>>;

/** Returns the text with each `<name>` replaced; a name without a value stays as it is. */
export function fillValues(text: string, values: ErrorValues): string {
  if (!text.includes('<')) return text;
  return text.replace(/<(\w+)>/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
