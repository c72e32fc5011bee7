import { getHttpRpcClient, type HttpRpcClient } from 'viem/utils';

// One call to a node: a deadline that covers the whole answer, a checked answer, and errors that
// name the method but never the node's address, which may contain a key.

/** The node could not be reached, took too long, or gave an invalid answer. */
export class ChainUnavailableError extends Error {
  override readonly name: string = 'ChainUnavailableError';
}

/** The node answered that it cannot do what was requested. */
export class ChainRpcError extends ChainUnavailableError {
  readonly code: number;
  /** The data of a reverted call, if the node returns it. */
  readonly data: unknown;

  constructor(message: string, { code, data }: { readonly code: number; readonly data: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface JsonRpc {
  /** @throws ChainUnavailableError, ChainRpcError */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}

export interface JsonRpcOptions {
  readonly url: string;
  readonly timeoutMs: number;
  /** After this many failures in a row, calls fail immediately until one succeeds again. */
  readonly failuresMax: number;
  /** How long calls fail immediately before the next attempt. */
  readonly pauseMs: number;
  /** Aborts every call when the service stops. */
  readonly signal?: AbortSignal;
}

const answerBytesMax = 16 * 1024 * 1024;

export function createJsonRpc(options: JsonRpcOptions): JsonRpc {
  const client = getHttpRpcClient(options.url, { maxResponseBodySize: answerBytesMax });
  const breaker = new Breaker(options);
  let nextId = 1;
  return {
    call: async (method, params) => {
      breaker.requireClosed(method);
      const id = nextId;
      nextId += 1;
      try {
        const { timeoutMs, signal } = options;
        const answer = await request(client, { method, params, id, timeoutMs, signal });
        breaker.noteSuccess();
        return answer;
      } catch (error) {
        if (error instanceof ChainRpcError) breaker.noteSuccess();
        else breaker.noteFailure();
        throw error;
      }
    },
  };
}

interface Request {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly id: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

async function request(client: HttpRpcClient, request: Request): Promise<unknown> {
  const { method, params, id, timeoutMs, signal } = request;
  // The library's own timeout ends with the headers; this one covers the body too. A running timer
  // keeps its callback, whereas a signal made by `AbortSignal.any` and `AbortSignal.timeout` can be
  // garbage collected during the call, which would then never end.
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const deadline = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted === true) stop();
  let answer: unknown;
  try {
    const fetchOptions = { signal: abort.signal };
    answer = await client.request({ body: { method, params, id }, timeout: 0, fetchOptions });
  } catch (error) {
    throw new ChainUnavailableError(`${method}: ${reasonOf(error, timeoutMs)}`);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', stop);
  }
  return resultOf(answer, method, id);
}

function resultOf(answer: unknown, method: string, id: number): unknown {
  if (typeof answer !== 'object' || answer === null) {
    throw new ChainUnavailableError(`${method}: the node did not answer with an object`);
  }
  const fields = answer as Readonly<Record<string, unknown>>;
  const { error } = fields;
  if (typeof error === 'object' && error !== null) {
    const { code, message, data } = error as Readonly<Record<string, unknown>>;
    throw new ChainRpcError(`${method}: ${String(message)}`, {
      code: typeof code === 'number' ? code : 0,
      data,
    });
  }
  if (fields['id'] !== id || !('result' in fields)) {
    throw new ChainUnavailableError(`${method}: the node answered a different request`);
  }
  return fields['result'];
}

// The library's messages quote the url and the request, so only the kind of failure is kept.
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the node did not answer';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return `no answer within ${timeoutMs} ms`;
  }
  if ('status' in error && typeof error.status === 'number') return `HTTP status ${error.status}`;
  return `the node did not answer (${error.name})`;
}

class Breaker {
  readonly #failuresMax: number;
  readonly #pauseMs: number;
  #failures = 0;
  #closedAt = 0;

  constructor({ failuresMax, pauseMs }: JsonRpcOptions) {
    this.#failuresMax = failuresMax;
    this.#pauseMs = pauseMs;
  }

  requireClosed(method: string): void {
    if (this.#failures < this.#failuresMax) return;
    if (performance.now() < this.#closedAt) {
      throw new ChainUnavailableError(`${method}: the node has not answered recently`);
    }
    // One call is let through as a test; the others keep failing until one succeeds.
    this.#closedAt = performance.now() + this.#pauseMs;
  }

  noteSuccess(): void {
    this.#failures = 0;
  }

  noteFailure(): void {
    this.#failures += 1;
    if (this.#failures >= this.#failuresMax) this.#closedAt = performance.now() + this.#pauseMs;
  }
}
