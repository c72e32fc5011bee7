const upperWords = new Map<string, string>();

/** A domain word in upper case, as /fapi spells it. Cached, as there are few. */
export function upperWord(word: string): string {
  const known = upperWords.get(word);
  if (known !== undefined) return known;
  const upper = word.toUpperCase();
  upperWords.set(word, upper);
  return upper;
}
