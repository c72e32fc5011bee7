import { recoverMessageAddress } from 'viem/utils';
import type { Address } from '../../domain/identifiers.ts';
import type { ContractSignatures, LoginNonceStore } from '../ports/accounts.ts';
import type { Exchange } from '../ports/exchange.ts';
import { openAccount } from '../trading/open-account.ts';
import type { SignInSite } from './issue-login-nonce.ts';
import { parseSignInMessage, type SignedInMessage } from './sign-in-message.ts';

// Sign-in with Ethereum. A message is valid once, for the site and the chain that it names, and for
// the address that its nonce was issued to.

export interface SignInPorts {
  readonly exchange: Exchange;
  readonly nonces: LoginNonceStore;
  /** Null: contract wallets cannot sign in. */
  readonly contractSignatures: ContractSignatures | null;
  readonly site: () => SignInSite;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface SignInRequest {
  readonly message: string;
  readonly signature: `0x${string}`;
}

export type SignInRefusal =
  | 'message_malformed'
  | 'domain_mismatch'
  | 'signature_invalid'
  | 'nonce_expired';

export type SignInResult =
  | { readonly kind: 'signed_in'; readonly address: Address }
  | { readonly kind: 'refused'; readonly reason: SignInRefusal };

// How far a wallet's clock can be ahead.
const clockToleranceMs = 60_000;

/**
 * Verifies that the caller owns the address of the message, and opens its account.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function signIn(ports: SignInPorts, request: SignInRequest): Promise<SignInResult> {
  const message = parseSignInMessage(request.message);
  if (message === null) return refused('message_malformed');
  const refusal = judgeSite(message, ports.site()) ?? judgeTimes(message, ports.now());
  if (refusal !== null) return refused(refusal);
  const isKeyWallet = await isSignedByKey(message.address, request);
  if (!isKeyWallet && ports.contractSignatures === null) return refused('signature_invalid');
  // The nonce is spent first, so that each network query to a contract costs one.
  const nonce = await ports.nonces.consume(message.nonce);
  if (nonce === null || nonce.expiresAt.getTime() <= ports.now()) return refused('nonce_expired');
  if (nonce.address !== message.address) return refused('signature_invalid');
  if (!isKeyWallet && !(await isSignedByContract(ports, message.address, request))) {
    return refused('signature_invalid');
  }
  await openAccount(ports.exchange, message.address);
  return { kind: 'signed_in', address: message.address };
}

function judgeSite(message: SignedInMessage, site: SignInSite): SignInRefusal | null {
  const { host, origin, protocol } = new URL(site.publicUrl);
  const isSameScheme = message.scheme === null || `${message.scheme}:` === protocol;
  const isHere = message.domain === host && isSameScheme && originOf(message.uri) === origin;
  return isHere && message.chainId === site.chainId ? null : 'domain_mismatch';
}

function originOf(uri: string): string | null {
  return URL.canParse(uri) ? new URL(uri).origin : null;
}

function judgeTimes(message: SignedInMessage, nowMs: number): SignInRefusal | null {
  const { issuedAt, notBefore, expiresAt } = message;
  if (expiresAt !== null && expiresAt.getTime() <= nowMs) return 'nonce_expired';
  const latestMs = nowMs + clockToleranceMs;
  const isEarly = issuedAt.getTime() > latestMs || (notBefore?.getTime() ?? 0) > latestMs;
  return isEarly ? 'signature_invalid' : null;
}

async function isSignedByKey(
  address: Address,
  { message, signature }: SignInRequest,
): Promise<boolean> {
  // A signature of another length than 65 bytes recovers no address, but a contract may accept it.
  const recovered = await recoverMessageAddress({ message, signature }).catch(() => null);
  return recovered?.toLowerCase() === address;
}

async function isSignedByContract(
  { contractSignatures }: SignInPorts,
  address: Address,
  { message, signature }: SignInRequest,
): Promise<boolean> {
  if (contractSignatures === null) return false;
  return contractSignatures.verify({ address, message, signature });
}

function refused(reason: SignInRefusal): SignInResult {
  return { kind: 'refused', reason };
}
