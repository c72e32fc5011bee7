import type { HttpClient } from './http.ts';

/** The parts of an EIP-4361 message that state where, for whom and on which chain it is valid. */
export interface SignInMessage {
  readonly domain: string;
  readonly address: string;
  readonly uri: string;
  readonly chainId: number;
  readonly expiresAt: string | null;
}

export interface SignInOptions {
  readonly address: string;
  /** Signs the text unchanged (personal_sign). */
  readonly signMessage: (message: string) => Promise<string>;
  /** Receives the message before the wallet does; throws to refuse it. */
  readonly review?: (message: SignInMessage, text: string) => void | Promise<void>;
}

export interface Session {
  readonly token: string;
  /** In lower case. */
  readonly address: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/**
 * Signs in with an Ethereum account.
 * @throws ApiError, or whatever `signMessage` throws.
 */
export async function signIn(client: HttpClient, options: SignInOptions): Promise<Session> {
  const { address, signMessage, review } = options;
  const { message } = await client.call('POST /api/v1/auth/nonce', { body: { address } });
  await review?.(readSignInMessage(message), message);
  const signature = await signMessage(message);
  return client.call('POST /api/v1/auth/login', { body: { message, signature } });
}

/**
 * Parses a sign-in message.
 * @throws Error if the text is not an EIP-4361 message.
 */
export function readSignInMessage(text: string): SignInMessage {
  const lines = text.split('\n');
  const field = (name: string): string | null =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
  const suffix = ' wants you to sign in with your Ethereum account:';
  const [first = '', address = ''] = lines;
  const uri = field('URI');
  const chainId = field('Chain ID');
  if (!first.endsWith(suffix) || uri === null || chainId === null) {
    throw new Error('the service sent no sign-in message');
  }
  return {
    domain: first.slice(0, -suffix.length),
    address,
    uri,
    chainId: Number(chainId),
    expiresAt: field('Expiration Time'),
  };
}
