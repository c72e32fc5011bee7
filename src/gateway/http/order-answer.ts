import { assertNever } from '../../domain/assert.ts';
import { envelopeBody } from '../errors/envelope-errors.ts';
import { type ErrorReply, replyWithReason, replyWithRow, type Surface } from '../errors/surface.ts';
import type { Answer, Endpoint, RawAnswer } from './endpoint.ts';
import type { MeasuredAnswer, TextAnswer } from './repeated-orders.ts';

// Turns an endpoint's answer into the form of its surface.

export interface AnswerParts {
  readonly errors: { readonly surface: Surface };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An answer to an order as it is sent; its text is kept for repeated requests. */
export interface OrderAnswer extends MeasuredAnswer {
  readonly headers: Readonly<Record<string, string>>;
}

/** Serializes a success by the route's schema. */
export type Serialize = (value: Record<string, unknown>) => string;

const noHeaders: Readonly<Record<string, string>> = {};

export function successBody({ errors, now }: AnswerParts, value: unknown): unknown {
  return errors.surface.name === 'envelope' ? envelopeBody(value, now()) : value;
}

export function refusalReply(
  answer: Exclude<Answer<unknown>, RawAnswer | { kind: 'done' }>,
  endpoint: Endpoint,
  { errors, now }: AnswerParts,
): ErrorReply {
  switch (answer.kind) {
    case 'refused':
      return replyWithReason(errors.surface, answer.rejection, now(), endpoint.errorRows);
    case 'failed':
      return replyWithReason(errors.surface, answer.failure, now(), endpoint.errorRows);
    case 'error':
      return replyWithRow(errors.surface, answer.row, now(), answer.values);
    default:
      return assertNever(answer);
  }
}

/** The answer as text, so that it can be kept and sent again, byte for byte. */
export function textAnswer(
  answer: Answer<unknown>,
  endpoint: Endpoint,
  parts: AnswerParts,
  serialize: Serialize,
): OrderAnswer {
  if (answer.kind === 'done') {
    const body = serialize(successBody(parts, answer.value) as Record<string, unknown>);
    return measured(200, body, noHeaders);
  }
  if (answer.kind === 'raw') return measured(answer.status, String(answer.text), noHeaders);
  return textOfError(refusalReply(answer, endpoint, parts));
}

/** A complete answer in JSON, parsed. */
export function rawReply({ status, text }: RawAnswer) {
  return { status, body: JSON.parse(String(text)) as object };
}

/** An earlier answer, sent again. */
export function earlierAnswer({ status, body }: TextAnswer): OrderAnswer {
  return measured(status, body, noHeaders);
}

/** The answer to an order that was received before, here or by another process; null: unknown. */
export function repeatedAnswer(
  first: TextAnswer | null,
  endpoint: Endpoint,
  parts: AnswerParts,
): OrderAnswer {
  if (first !== null) return earlierAnswer(first);
  const failed = { kind: 'failed', failure: { reason: 'request_repeated' } } as const;
  return textOfError(refusalReply(failed, endpoint, parts));
}

export function textOfError({ status, body, page, headers }: ErrorReply): OrderAnswer {
  return measured(status, body === null ? (page ?? '') : JSON.stringify(body), headers);
}

function measured(status: number, body: string, headers: OrderAnswer['headers']): OrderAnswer {
  return { status, body, bodyBytes: Buffer.byteLength(body), headers };
}
