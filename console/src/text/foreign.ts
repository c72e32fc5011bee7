/** More than a column of a table needs. */
const shownLength = 80;
/** More than the service takes for a reason. */
export const sentenceLength = 600;

/**
 * Words that users, operators, wallets or other contracts chose, to be shown beside the page's own:
 * what would reorder those is replaced by a sign, and an endless text is cut.
 */
export function foreignText(text: string, lengthMax: number = shownLength): string {
  const isLong = text.length > lengthMax;
  const shown = isLong ? `${text.slice(0, lengthMax)}…` : text;
  return shown.replace(/\p{Bidi_C}/gu, '\ufffd');
}
