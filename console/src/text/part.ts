/** A value inside a text, as it is written there. */
export type Part = string | number | bigint | null | undefined;
