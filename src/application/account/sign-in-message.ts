import type { Address } from '../../domain/identifiers.ts';
import { parseAddress } from '../../domain/identifiers.ts';

// The text that a wallet signs to sign in: EIP-4361, version 1. One grammar writes and parses it,
// so a text that parses has exactly the bytes of that grammar: no extra line, no other order,
// nothing but printable ASCII.

export interface SignInMessage {
  /** The host, with the port if there is one. */
  readonly domain: string;
  /** With the checksum capitals of EIP-55, as wallets display it. */
  readonly address: string;
  readonly statement: string;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** The parsed fields of a signed message. */
export interface SignedInMessage {
  /** Null if the message has none. */
  readonly scheme: string | null;
  readonly domain: string;
  readonly address: Address;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date | null;
  readonly notBefore: Date | null;
}

export function formatSignInMessage(message: SignInMessage): string {
  return [
    `${message.domain} wants you to sign in with your Ethereum account:`,
    message.address,
    '',
    message.statement,
    '',
    `URI: ${message.uri}`,
    'Version: 1',
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt.toISOString()}`,
    `Expiration Time: ${message.expiresAt.toISOString()}`,
  ].join('\n');
}

const time = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})`;
const visible = '[\\x21-\\x7e]';
const messagePattern = new RegExp(
  [
    '^(?:(?<scheme>[a-z][a-z0-9+.-]{0,15})://)?(?<domain>[A-Za-z0-9.:[\\]-]{1,255})',
    ' wants you to sign in with your Ethereum account:\\n(?<address>0x[0-9a-fA-F]{40})\\n',
    '(?:\\n(?<statement>[\\x20-\\x7e]{1,1024})\\n|\\n)',
    `\\nURI: (?<uri>${visible}{1,1024})\\nVersion: 1\\nChain ID: (?<chainId>[1-9]\\d{0,14})`,
    `\\nNonce: (?<nonce>[A-Za-z0-9]{8,128})\\nIssued At: (?<issuedAt>${time})`,
    `(?:\\nExpiration Time: (?<expiresAt>${time}))?(?:\\nNot Before: (?<notBefore>${time}))?`,
    `(?:\\nRequest ID: ${visible}{0,256})?(?:\\nResources:(?:\\n- ${visible}{1,1024}){0,16})?$`,
  ].join(''),
);

/** Parses a message; null unless every byte follows EIP-4361. */
export function parseSignInMessage(text: string): SignedInMessage | null {
  const fields = messagePattern.exec(text)?.groups;
  if (fields === undefined) return null;
  const address = parseAddress(fields['address'] ?? '');
  const issuedAt = parseTime(fields['issuedAt']);
  const expiresAt = parseTime(fields['expiresAt']);
  const notBefore = parseTime(fields['notBefore']);
  if (address === null || issuedAt === null) return null;
  if (expiresAt === 'malformed' || notBefore === 'malformed' || issuedAt === 'malformed') {
    return null;
  }
  return {
    scheme: fields['scheme'] ?? null,
    domain: fields['domain'] ?? '',
    address,
    uri: fields['uri'] ?? '',
    chainId: Number(fields['chainId']),
    nonce: fields['nonce'] ?? '',
    issuedAt,
    expiresAt,
    notBefore,
  };
}

function parseTime(text: string | undefined): Date | null | 'malformed' {
  if (text === undefined) return null;
  const parsed = new Date(text);
  return Number.isNaN(parsed.getTime()) ? 'malformed' : parsed;
}
