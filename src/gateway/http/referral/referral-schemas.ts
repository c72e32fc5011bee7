import { type TSchema, type TUnsafe, Type } from 'typebox';
import type {
  Page,
  PageOf,
  ReferralRefusal,
} from '../../../application/referral/referral-ports.ts';
import type { ReferralOutcome } from '../../../application/referral/referral-use-case.ts';
import { type Decimal, parseDecimalValue } from '../../../domain/decimal.ts';
import { done, type Outcome, refused } from '../../../domain/outcome.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { referralRows } from '../../errors/referral-errors.ts';
import { type NamedError, namedError } from '../endpoint.ts';
import { strictObject } from '../schema.ts';

// Shared by the referral endpoints: paging, the forms of their lists, and how refusals are
// reported.

export const referralTag = 'Referral';

const pageSizeMax = 100;
const pageDefault = 1;
const pageSizeDefault = 20;

// A page beyond the last is empty, however far; whole numbers are exact up to here.
const pageMax = Number.MAX_SAFE_INTEGER;

export const pageQuery = {
  page: Type.Optional(
    Type.Integer({
      description: 'The page, from 1',
      minimum: 1,
      maximum: pageMax,
      default: pageDefault,
      examples: [1],
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({
      description: 'Maximum number of items in the response',
      minimum: 1,
      maximum: pageSizeMax,
      default: pageSizeDefault,
      examples: [pageSizeDefault],
    }),
  ),
};

export function readPage(query: {
  readonly page?: number | undefined;
  readonly page_size?: number | undefined;
}): Page {
  return { page: query.page ?? pageDefault, pageSize: query.page_size ?? pageSizeDefault };
}

export function listSchema<S extends TSchema>(item: S, totalDescription: string) {
  return strictObject({
    items: Type.Array(item, { description: 'The page, newest first' }),
    total: Type.Integer({ description: totalDescription, examples: [42] }),
    page: Type.Integer({ description: 'The requested page', examples: [1] }),
    page_size: Type.Integer({ description: 'As requested', examples: [20] }),
  });
}

export function answerPage<T>({ items, total }: PageOf<T>, { page, pageSize }: Page) {
  return done({ items, total, page, page_size: pageSize });
}

/** A body that can be omitted, or be an object without fields. */
export const emptyBody = Type.Unsafe<Record<string, never> | null>({
  type: ['object', 'null'],
  additionalProperties: false,
  description: 'An empty object, or no body',
  examples: [{}],
});

/** The value, or the refusal's own row of the error table. */
export function answerOutcome<T, A>(
  outcome: ReferralOutcome<T, ReferralRefusal>,
  view: (value: T) => A,
): Outcome<A> | NamedError {
  if (outcome.kind === 'done') return done(view(outcome.value));
  return namedError(referralRows[outcome.refusal]);
}

export function rowsOf(refusals: readonly ReferralRefusal[]): readonly ErrorRow[] {
  return refusals.map((refusal) => referralRows[refusal]);
}

/** A rate in a request: a decimal of any sign, whose range the error table covers. */
export function readRate(field: string, value: string | number): Outcome<Decimal> {
  const rate = parseDecimalValue(value);
  if (rate !== null) return done(rate);
  return refused({
    reason: 'parameter_invalid',
    detail: `${field}: not a plain decimal number`,
  });
}

// A malformed code that is read gets its own row of the error table, so more is read than is valid.
export const codeLengthReadMax = 200;

export const codeText = Type.String({
  description: 'A referral code: 4 to 20 of A-Z, 0-9 and the underscore',
  examples: ['SATOSHI_21'],
});

/** A whole number in an answer. */
export function count(description: string, example = 3): TUnsafe<number> {
  return Type.Unsafe<number>({ type: 'integer', description, examples: [example] });
}
