import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem/utils';
import type { Address } from '../../domain/identifiers.ts';
import type { LoginNonceStore } from '../ports/accounts.ts';
import { formatSignInMessage } from './sign-in-message.ts';

/** The site that sign-in messages are made for. */
export interface SignInSite {
  /** The public address of the site, for example http://127.0.0.1:8080. */
  readonly publicUrl: string;
  readonly chainId: number;
}

export interface LoginNoncePorts {
  readonly nonces: LoginNonceStore;
  readonly site: () => SignInSite;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface LoginNonceView {
  readonly nonce: string;
  readonly message: string;
  readonly expires_at: string;
}

const nonceBytes = 16;
const nonceLifetimeMs = 5 * 60_000;
const statement = 'Sign in to openbourse. This costs nothing and moves no funds.';

/**
 * Makes a message for the address's wallet to sign; it is valid once, for five minutes.
 * @throws DatabaseError
 */
export async function issueLoginNonce(
  { nonces, site, now }: LoginNoncePorts,
  address: Address,
): Promise<LoginNonceView> {
  const { publicUrl, chainId } = site();
  const nonce = randomBytes(nonceBytes).toString('hex');
  const issuedAt = new Date(now());
  const expiresAt = new Date(now() + nonceLifetimeMs);
  const message = formatSignInMessage({
    domain: new URL(publicUrl).host,
    address: getAddress(address),
    statement,
    uri: publicUrl,
    chainId,
    nonce,
    issuedAt,
    expiresAt,
  });
  await nonces.issue({ nonce, address, expiresAt });
  return { nonce, message, expires_at: expiresAt.toISOString() };
}
