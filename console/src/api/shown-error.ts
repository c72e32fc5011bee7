import { ApiError, ConnectionError } from '@openbourse/client';

/** A refusal by the wallet, or by the page before it calls the wallet. */
export class WalletError extends Error {
  override readonly name = 'WalletError';
  /** A code that has a sentence in text/en/errors.ts. */
  readonly code: string;
  /** The wallet's own message, if its code is unknown to the page. */
  readonly detail: string | null;

  constructor(
    code: string,
    { detail = null, cause }: { readonly detail?: string | null; readonly cause?: unknown } = {},
  ) {
    super(detail === null ? code : `${code}: ${detail}`, { cause });
    this.code = code;
    this.detail = detail;
  }
}

export interface ShownError {
  readonly code: string;
  readonly detail: string | null;
  readonly requestId: string | null;
}

/** What to show for a thrown error of any kind. */
export function describeError(error: unknown): ShownError {
  if (error instanceof ApiError)
    return { code: error.code, detail: error.detail, requestId: error.requestId };
  if (error instanceof WalletError)
    return { code: error.code, detail: error.detail, requestId: null };
  if (error instanceof ConnectionError) return { code: 'NO_ANSWER', detail: null, requestId: null };
  const detail = error instanceof Error ? error.message : String(error);
  return { code: 'PAGE_ERROR', detail, requestId: null };
}
