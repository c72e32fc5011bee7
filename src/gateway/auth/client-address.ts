import { BlockList, isIPv4, isIPv6 } from 'node:net';

// Determines the client address of a request. A key's whitelist, the limits and the log all use
// this one result.

/**
 * Normalizes an address: IPv4 if possible, without a zone; null if the text is not an address.
 */
export function normalizeAddress(text: string): string | null {
  const zone = text.indexOf('%');
  const bare = zone < 0 ? text : text.slice(0, zone);
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return null;
  return mappedIPv4(bare) ?? canonicalIPv6(bare);
}

// An IPv4 peer appears as ::ffff:9.9.9.9 or ::ffff:909:909 on a dual-stack socket.
function mappedIPv4(address: string): string | null {
  const canonical = canonicalIPv6(address);
  const match = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (match === null) return null;
  const [high, low] = [match[1] ?? '', match[2] ?? ''].map((part) => Number.parseInt(part, 16));
  if (high === undefined || low === undefined) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function canonicalIPv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** A set of addresses and CIDR blocks. */
export class AddressSet {
  readonly #list = new BlockList();
  readonly isEmpty: boolean;

  /** Entries must be well formed: see isAddressBlock. */
  constructor(entries: readonly string[]) {
    this.isEmpty = entries.length === 0;
    for (const entry of entries) {
      const block = parseBlock(entry);
      if (block !== null) this.#list.addSubnet(block.address, block.prefix, block.family);
    }
  }

  /** The address must be normalized. */
  has(address: string): boolean {
    return !this.isEmpty && this.#list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}

/** True for an address or a CIDR block in plain notation: no octal, no short forms, no zone. */
export function isAddressBlock(text: string): boolean {
  return parseBlock(text) !== null;
}

interface AddressBlock {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const mappedPrefixBits = 96;

function parseBlock(text: string): AddressBlock | null {
  const [base = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || base.includes('%')) return null;
  const address = normalizeAddress(base);
  if (address === null || (bits !== undefined && !/^(0|[1-9][0-9]{0,2})$/.test(bits))) return null;
  const isMapped = isIPv6(base) && isIPv4(address);
  const bitsMax = isIPv4(base) ? 32 : 128;
  const given = bits === undefined ? bitsMax : Number(bits);
  const prefix = isMapped ? given - mappedPrefixBits : given;
  if (given > bitsMax || prefix < 0) return null;
  return { address, prefix, family: isIPv4(address) ? 'ipv4' : 'ipv6' };
}

/** Finds the client behind the trusted proxies; without any, the client is the socket's peer. */
export class ClientAddresses {
  readonly #trusted: AddressSet;

  constructor(trustedProxies: readonly string[]) {
    this.#trusted = new AddressSet(trustedProxies);
  }

  /** True for the normalized address of a trusted proxy. */
  isTrusted(address: string): boolean {
    return this.#trusted.has(address);
  }

  /**
   * Returns the right-most address that is not a trusted proxy: the client itself can write
   * anything to the left of it. Only X-Forwarded-For is read.
   */
  find(peer: string | undefined, forwardedFor: string | readonly string[] | undefined): string {
    // A socket that is already closed has no peer.
    const nearest = peer === undefined ? 'unknown' : normalizePeer(peer);
    if (this.#trusted.isEmpty || forwardedFor === undefined) return nearest;
    const hops = String(forwardedFor).split(',');
    let client = nearest;
    for (let index = hops.length - 1; index >= 0 && this.#trusted.has(client); index -= 1) {
      const hop = normalizeAddress((hops[index] ?? '').trim());
      if (hop === null) break;
      client = hop;
    }
    return client;
  }
}

const mappedPrefix = '::ffff:';

function normalizePeer(peer: string): string {
  if (peer.startsWith(mappedPrefix) && peer.includes('.')) return peer.slice(mappedPrefix.length);
  return peer.includes(':') ? (normalizeAddress(peer) ?? peer) : peer;
}
