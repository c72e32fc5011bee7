const upperWords = new Map<string, string>();

/** A word of the domain in upper case, as /fapi writes it. There are few, so each is made once. */
export function upperWord(word: string): string {
  const known = upperWords.get(word);
  if (known !== undefined) return known;
  const upper = word.toUpperCase();
  upperWords.set(word, upper);
  return upper;
}
