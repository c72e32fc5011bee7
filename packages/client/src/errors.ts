/** An answer other than 200, in whichever form its error family uses. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The service's code, for example INSUFFICIENT_BALANCE or -2011; HTTP_502 if it gave none. */
  readonly code: string;
  /** The service's detail for the code, or null. */
  readonly detail: string | null;
  /** Include it in error reports. */
  readonly requestId: string | null;
  /** How long to wait before the next attempt, if the service says so. */
  readonly retryAfterMs: number | null;
  /** The address that answered, as far as the platform reports it; otherwise empty. */
  readonly url: string;

  constructor(answer: {
    readonly status: number;
    readonly code: string;
    readonly detail: string | null;
    readonly requestId: string | null;
    readonly retryAfterMs: number | null;
    readonly url?: string;
  }) {
    super(answer.detail === null ? answer.code : `${answer.code}: ${answer.detail}`);
    this.status = answer.status;
    this.code = answer.code;
    this.detail = answer.detail;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
    this.url = answer.url ?? '';
  }

  /** True if the service accepted nothing and asks to try again. */
  get isTemporary(): boolean {
    return this.status === 429 || this.code === 'ENGINE_BUSY' || this.code === 'ENGINE_RESTARTING';
  }
}

/** No answer arrived. Whether the request was accepted is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The error of an unsuccessful answer. */
export async function readError(reply: Response): Promise<ApiError> {
  const text = await reply.text();
  const { code, detail } = read(text);
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    status: reply.status,
    code: code ?? `HTTP_${reply.status}`,
    detail,
    requestId: reply.headers.get('x-request-id'),
    url: reply.url,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null,
  });
}

interface ErrorBody {
  readonly code: string | null;
  readonly detail: string | null;
}

function read(text: string): ErrorBody {
  const body = parse(text);
  const { error, code, msg, detail } = body;
  if (typeof error === 'string') return { code: error, detail: textOrNull(detail) };
  if (typeof error === 'object' && error !== null) {
    const inner = error as Readonly<Record<string, unknown>>;
    return { code: textOrNull(inner['code']), detail: textOrNull(inner['message']) };
  }
  if (typeof code === 'number') return { code: String(code), detail: textOrNull(msg) };
  return { code: null, detail: null };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
