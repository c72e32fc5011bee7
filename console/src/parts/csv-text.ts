type Value = string | number | null;

const negative = /^-\d+(\.\d+)?$/;

function quoted(value: Value): string {
  const text = value === null ? '' : String(value);
  // Spreadsheets would run what begins as a formula; a negative number is none.
  const isFormula = /^[=+@\t\r]/.test(text) || (text.startsWith('-') && !negative.test(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of a CSV file, the titles first. */
export function csvText(rows: readonly (readonly Value[])[]): string {
  return [...rows.map((row) => row.map(quoted).join(',')), ''].join('\r\n');
}
