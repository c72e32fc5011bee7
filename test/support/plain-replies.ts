import { anyText } from './spot-fixtures.ts';

// Whole answers of the plain family, as outcomeOf gives them.

export const ok = { status: 200, body: { ok: true } };

export function error(status: number, code: string): object {
  return { status, body: { error: code } };
}

export function invalid(detail: unknown = anyText): object {
  return { status: 400, body: { error: 'INVALID_PARAMETER', detail } };
}
