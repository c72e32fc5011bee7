// The database takes no text with the character U+0000, and no field needs it: whatever carries it
// is malformed, wherever it stands. JSON spells it only as an escape, a URL and a form in percent.

const inJson = '\\u0000';
const inPercent = '%00';

export type BodyKind = 'json' | 'form' | 'none';

/** Whether target or body may carry the character; an escaped backslash before it counts too. */
export function holdsNul(target: string, body: string, kind: BodyKind): boolean {
  if (target.includes(inPercent)) return true;
  return kind !== 'none' && body.includes(kind === 'json' ? inJson : inPercent);
}
