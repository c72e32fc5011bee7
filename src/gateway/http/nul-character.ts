// The database does not accept text with the character U+0000, and no field needs it: anything that
// contains it is malformed, wherever it is. JSON writes it only as an escape, a URL only
// percent-encoded, and a form either so or as it is.

const inJson = '\\u0000';
const inPercent = '%00';

export type BodyKind = 'json' | 'form' | 'none';

/** True if target or body can contain the character; an escaped backslash before it counts too. */
export function holdsNul(target: string, body: string, kind: BodyKind): boolean {
  if (target.includes(inPercent)) return true;
  if (kind === 'json') return body.includes(inJson);
  return kind === 'form' && (body.includes(inPercent) || body.includes('\0'));
}
