// PostgreSQL's text form of arrays, for `unnest`. Numbers, decimals and words of letters, digits
// and a few marks need no quotes, and joining them costs a fraction of quoting each.

/** For values without blanks, quotes, commas, braces and backslashes, none the word `null`. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  let text = '{';
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ',';
    text += values[index] ?? 'NULL';
  }
  return `${text}}`;
}

/** For text that came from outside. */
export function quotedArray(values: readonly (string | null)[]): string {
  return plainArray(values.map((value) => (value === null ? null : quote(value))));
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
