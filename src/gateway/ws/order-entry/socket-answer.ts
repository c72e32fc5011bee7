import type { UsedLimit } from '../../http/request-limiter.ts';

// The parts of a WebSocket API answer.

/** {code, msg}, even if the body is the envelope of a failed authentication. */
export function errorOf(body: object | null): object {
  if (body === null || !('error' in body)) return body ?? {};
  const { code, message } = body.error as { readonly code: string; readonly message: string };
  return { code, msg: message };
}

// Only constant words and numbers: concatenating them is cheaper than serializing.
export function textOfLimits(rateLimits: readonly UsedLimit[]): string {
  let text = '';
  for (const { rateLimitType, interval, intervalNum, limit, count } of rateLimits) {
    if (text !== '') text += ',';
    text += `{"rateLimitType":"${rateLimitType}","interval":"${interval}",`;
    text += `"intervalNum":${intervalNum},"limit":${limit},"count":${count}}`;
  }
  return `[${text}]`;
}
