import type { Part } from '../row.ts';

// Forms of values and bodies, everywhere.

const decimal = (title: string) => `decimal > ${title}`;
const families = 'error-families > success: bare on plain, in the envelope elsewhere below /api/v1';
const missing = 'error-families > {}: 400 with the field and why';
const size = 'error-families > a body of 64 KiB is read, one byte more is 413 PAYLOAD_TOO_LARGE';
const limited = 'limits > over the limit: 429 RATE_LIMITED with Retry-After in each form';
const bug = 'error-families > bug: each surface answers in its own form';
const notFound = (path: string) => `error-families > ${path}: 404 in the form of its surface`;
const placed = 'spot-orders > POST /spot/orders: a limit order rests and the answer is the order';

export const familyParts: readonly Part[] = [
  {
    id: 'form',
    title: 'Forms of values',
    rows: [
      ['time', 'Times are ISO 8601 UTC with Z in /api/v1', placed],
      [
        'time-fapi',
        'integer milliseconds in /fapi',
        'fapi-orders > order: the answer has every field, its quantity truncated to the lot',
      ],
      [
        'time-stream',
        'and on streams',
        'ws-market-data > trades: the snapshot holds the newest trades oldest first, updates each',
      ],
      ['timestamp', "Unix seconds in the envelope's timestamp", families],
      [
        'address',
        'Addresses come in any letter case and are answered in lowercase',
        'identifiers > parseAddress: every letter case is accepted and answered in lowercase',
        'referral-affiliates > affiliates: the address is accepted in any letter case',
      ],
      [
        'plain',
        'Amounts go out plain: no exponent, no trailing zeros',
        decimal('formatDecimal: its output parses back to the same value, without trailing zeros'),
      ],
      ['number', 'A JSON number is accepted', decimal('parseDecimalValue: the JSON number 0.1')],
      [
        'number-digits',
        'while it has at most 15 significant digits',
        decimal('parseDecimalValue: the JSON number 123456789.012345'),
        decimal('parseDecimalValue: 12345678901234568 is malformed'),
      ],
      ['exponent', 'An exponent is malformed', decimal('parseDecimal: "1e5" is malformed')],
      ['sign', 'A sign other than one leading - is malformed', decimal('parseDecimal: "+5" is')],
      ['hex', 'Hex is malformed', decimal('parseDecimal: "0x10" is malformed')],
      ['nan', 'NaN is malformed', decimal('parseDecimal: "NaN" is malformed')],
      ['blank', 'Blanks are malformed', decimal('parseDecimal: " 5" is malformed')],
      [
        'integer-digits',
        'More than 30 integer digits are malformed',
        decimal('parseDecimal: 999999999999999999999999999999 is a number'),
        decimal('parseDecimal: "1000000000000000000000000000000" is malformed'),
      ],
      [
        'fraction-digits',
        'More than 18 fraction digits are malformed',
        decimal('parseDecimal: 0.000000000000000001 is a number'),
        decimal('parseDecimal: "0.0000000000000000001" is malformed'),
      ],
      [
        'rounding',
        "Nothing is rounded in the user's favour",
        'spot-rules > fee: rounded up to the next unit, never in favour of the user',
        'share-fee > commissionOf: is the exact product cut to micro-USDT',
        'futures-rules > fees: base rate x VIP multiplier x (1 - referral discount), rounded up',
      ],
      [
        'no-float',
        'No amount is a binary floating-point number',
        'imports > purity: domain, engine and programs use no clock, randomness, timer or float',
      ],
    ],
  },
  {
    id: 'family',
    title: 'Body families',
    rows: [
      ['plain', 'plain: the bare object', families],
      ['plain-error', 'plain: {error: CODE}', 'error-families > database: each surface answers'],
      ['plain-detail', 'on INVALID_PARAMETER also detail', missing],
      ['envelope', 'envelope: {success, data, error: null, timestamp}', families],
      ['envelope-error', 'envelope: {success: false, error: {code, message}}', missing],
      ['exchange', 'exchange: the bare object', 'fapi-market-data > ping and time'],
      ['exchange-error', 'exchange: {code, msg}', missing],
      ['malformed', 'Malformed input: 400 INVALID_PARAMETER, plain and envelope', missing],
      ['malformed-1102', '/fapi: -1102 for a missing mandatory field', missing],
      [
        'malformed-1100',
        '/fapi: -1100 for a malformed value',
        'error-families > {"count":"1"}: 400',
      ],
      [
        'malformed-1130',
        '/fapi: -1130 for an unknown member of a set',
        'error-families > {"count":1,"side":"up"}: 400 with the field and why',
      ],
      [
        'unauthorized',
        'Missing JWT: {error: UNAUTHORIZED} plain',
        'referral-access > referral: GET status without a token is UNAUTHORIZED',
      ],
      [
        'unauthorized-forms',
        'UNAUTHORIZED in the envelope, an empty body on spot',
        'signatures > no credentials: empty 401 on spot, UNAUTHORIZED, INVALID_API_KEY on /fapi',
      ],
      [
        'not-found',
        'Unknown path: 404 NOT_FOUND',
        notFound('/api/v1/spot/nothing'),
        notFound('/api/v1/nothing'),
      ],
      ['not-found-fapi', 'Unknown path on /fapi: 404 with -1000', notFound('/fapi/v1/nothing')],
      ['too-large', 'Body over 64 KiB: 413 PAYLOAD_TOO_LARGE', size],
      ['too-many', 'Too many requests: 429 with Retry-After, RATE_LIMITED; /fapi -1003', limited],
      [
        'paging',
        'Malformed or out-of-range paging: 400 INVALID_PARAMETER',
        'referral-access > referral: malformed and out-of-range paging of traders',
        "spot-cancels-and-reads > GET /spot/orders: { limit: '501' } is INVALID_PARAMETER",
        'derivatives-account > orders with {"offset":"-1"}: 400 INVALID_PARAMETER',
      ],
      ['failure', 'An unexpected failure: 500 INTERNAL_ERROR, /fapi -1000', bug],
      [
        'failure-logged',
        'logged with the request id',
        'error-families > an unexpected failure: logged with the request id of its answer',
      ],
      [
        'failure-hidden',
        'never with its internals in the body',
        'error-families > bug: no internal details reach the body',
      ],
      [
        'request-id',
        'Every answer carries X-Request-Id',
        'error-families > every answer: a unique request id, nosniff and no-store',
      ],
    ],
  },
];
