import { type TObject, Type } from 'typebox';
import type { ErrorRow } from '../errors/error-row.ts';
import type { Reason, Surface } from '../errors/surface.ts';
import type { AuthNeed, Endpoint } from './endpoint.ts';

const exampleTimeMs = 1_767_571_200_000;

const signedReasons: readonly Reason[] = [
  'unauthorized',
  'signature_missing',
  'timestamp_missing',
  'timestamp_invalid',
  'signature_invalid',
  'api_key_malformed',
  'api_key_unknown',
  'api_key_disabled',
  'ip_not_allowed',
];

const authReasons: Readonly<Record<AuthNeed['kind'], readonly Reason[]>> = {
  none: [],
  optional: signedReasons,
  account: [...signedReasons, 'permission_denied'],
  token: ['unauthorized', 'token_required'],
  operator: ['unauthorized'],
  // Every admin write inserts an audit row.
  admin: ['admin_unauthorized', 'admin_not_configured', 'permission_denied', 'database_failed'],
};

const generalReasons: readonly Reason[] = [
  'rate_limited',
  'engine_busy',
  'engine_restarting',
  'database_failed',
];

const orderReasons: readonly Reason[] = ['request_repeated', 'too_many_new_orders'];

/** The errors that an endpoint can return, by HTTP status, as OpenAPI responses. */
export function documentErrors(endpoint: Endpoint, surface: Surface): Record<string, object> {
  const byStatus = new Map<number, ErrorRow[]>();
  for (const row of errorRows(endpoint, surface)) {
    byStatus.set(row.status, [...(byStatus.get(row.status) ?? []), row]);
  }
  const responses: Record<string, object> = {};
  for (const [status, rows] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[String(status)] = describeRows(rows, surface);
  }
  return responses;
}

function errorRows(endpoint: Endpoint, surface: Surface): ReadonlySet<ErrorRow> {
  const hasInput = endpoint.body !== null || endpoint.query !== null || endpoint.params !== null;
  const reasons: Reason[] = [
    ...(hasInput ? (['parameter_malformed'] as const) : []),
    ...reasonsOf(endpoint.auth),
    ...(endpoint.reasons ?? []),
    ...(endpoint.isOrderEntry === true ? orderReasons : []),
    ...(endpoint.method === 'GET' ? [] : (['payload_too_large'] as const)),
    ...(endpoint.weight > 0 || endpoint.isOrderEntry === true ? generalReasons : []),
    'internal',
  ];
  const rowOf = (reason: Reason): ErrorRow => endpoint.errorRows?.[reason] ?? surface.rows[reason];
  return new Set([
    ...reasons.map(rowOf),
    ...(endpoint.namedRows ?? []),
    ...Object.values(endpoint.errorRows ?? {}),
  ]);
}

function reasonsOf(auth: AuthNeed): readonly Reason[] {
  const reasons = authReasons[auth.kind];
  const isKeyOnly = auth.kind === 'account' && auth.isKeyOnly === true;
  return isKeyOnly ? reasons.filter((reason) => reason !== 'unauthorized') : reasons;
}

function describeRows(rows: readonly ErrorRow[], surface: Surface): object {
  const lines = rows.map(({ code, text }) => (code === '' ? text : `\`${code}\`: ${text}`));
  const bodies = rows.flatMap((row) => {
    const detail = { detail: null, values: {} };
    const body = surface.errorBody(row, detail, exampleTimeMs);
    return body === null ? [] : [body];
  });
  const description = lines.join('\n\n');
  if (bodies.length === 0) return { description };
  return {
    description,
    content: {
      'application/json': { schema: errorSchema(bodies[0] ?? {}), examples: examplesOf(bodies) },
    },
  };
}

function examplesOf(bodies: readonly object[]): Record<string, object> {
  return Object.fromEntries(bodies.map((value, index) => [`${index + 1}`, { value }]));
}

const textField = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

const plainError = Type.Object(
  {
    error: textField('The code', 'INVALID_PARAMETER'),
    detail: Type.Optional(textField('Details, if there are any', 'limit: must be >= 1')),
  },
  { title: 'PlainError' },
);

const envelopeError = Type.Object(
  {
    success: Type.Literal(false, { description: 'Always false' }),
    data: Type.Null({ description: 'Always null' }),
    error: Type.Object(
      {
        code: textField('The code', 'INVALID_PARAMETER'),
        message: textField('A description of the error', 'limit: must be >= 1'),
      },
      { description: 'The error' },
    ),
    timestamp: Type.Integer({ description: 'Unix seconds', examples: [1_767_571_200] }),
  },
  { title: 'EnvelopeError' },
);

const binanceError = Type.Object(
  {
    code: Type.Integer({ description: 'The code', examples: [-1102] }),
    msg: textField('A description of the error', "Mandatory parameter 'symbol' was not sent"),
  },
  { title: 'BinanceError' },
);

/** The schema of the error family that the body belongs to. */
function errorSchema(body: object): TObject {
  if ('success' in body) return envelopeError;
  return 'msg' in body ? binanceError : plainError;
}
