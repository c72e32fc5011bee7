import { isIP } from 'node:net';

/** The value of an environment text, or a sentence that describes the problem. */
export type ParsedSetting<T> = { readonly value: T } | { readonly problem: string };
export type SettingParser<T> = (text: string) => ParsedSetting<T>;

export const text: SettingParser<string> = (value) => ({ value });

export function textOfLength(lengthMin: number): SettingParser<string> {
  return (value) =>
    Buffer.byteLength(value) < lengthMin
      ? { problem: `must have at least ${lengthMin} bytes` }
      : { value };
}

export function matching(pattern: RegExp, form: string): SettingParser<string> {
  return (value) => (pattern.test(value) ? { value } : { problem: `must be ${form}` });
}

export function integer(range: { min: number; max: number }): SettingParser<number> {
  return (value) => {
    const number = Number(value);
    const isInside = /^\d{1,15}$/.test(value) && number >= range.min && number <= range.max;
    return isInside
      ? { value: number }
      : { problem: `must be a whole number from ${range.min} to ${range.max}` };
  };
}

export const trueOrFalse: SettingParser<boolean> = (value) =>
  value === 'true' || value === 'false'
    ? { value: value === 'true' }
    : { problem: 'must be true or false' };

export function oneOf<T extends string>(members: readonly T[]): SettingParser<T> {
  return (value) => {
    const member = members.find((each) => each === value);
    return member === undefined
      ? { problem: `must be one of ${members.join(', ')}` }
      : { value: member };
  };
}

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A duration such as 3600, 90s, 30m, 24h or 7d; in seconds. */
export const durationSeconds: SettingParser<number> = (value) => {
  const match = /^([1-9]\d{0,8})([smhd]?)$/.exec(value);
  if (match === null) return { problem: 'must be a length of time such as 3600, 30m or 24h' };
  const [, count = '', unit = ''] = match;
  return { value: Number(count) * (secondsPerUnit[unit === '' ? 's' : unit] ?? 1) };
};

export function hexBytes(byteCount: number): SettingParser<string> {
  return (value) => {
    const digits = value.startsWith('0x') ? value.slice(2) : value;
    return new RegExp(`^[0-9a-fA-F]{${byteCount * 2}}$`).test(digits)
      ? { value: digits.toLowerCase() }
      : { problem: `must be ${byteCount} bytes in hex (${byteCount * 2} digits)` };
  };
}

/** The order of the group of secp256k1; a private key is positive and below it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export const privateKey: SettingParser<string> = (value) => {
  const parsed = hexBytes(32)(value);
  if ('problem' in parsed) return parsed;
  const number = BigInt(`0x${parsed.value}`);
  if (number > 0n && number < curveOrder) return parsed;
  return { problem: 'must be a private key of secp256k1: above zero and below the order' };
};

export const evmAddress: SettingParser<string> = (value) =>
  /^0x[0-9a-fA-F]{40}$/.test(value)
    ? { value: value.toLowerCase() }
    : { problem: 'must be an address: 0x and 40 hex digits' };

/** Where a key is stored; the text itself may be a secret. */
export const signer: SettingParser<string> = (value) =>
  /^(local:(0x)?[0-9a-fA-F]{64}|rpc:(https?:\/\/|unix:\/)[^#]+#0x[0-9a-fA-F]{40})$/.test(value)
    ? { value }
    : { problem: 'must be local:HEX or rpc:URL#ADDRESS' };

export function url(protocols: readonly string[]): SettingParser<string> {
  const problem = `must be a URL that starts with ${protocols.join('// or ')}//`;
  return (value) => {
    if (!URL.canParse(value)) return { problem };
    return protocols.includes(new URL(value).protocol) ? { value } : { problem };
  };
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The base of links that pages show: https, or http on this machine, and nothing but a path after
 * the host; without the last slash.
 */
export const linkBase: SettingParser<string> = (value) => {
  const problem = 'must be a URL of https://, or of http:// on localhost, with no more than a path';
  if (!URL.canParse(value) || /[?#\\\s]/.test(value)) return { problem };
  const { protocol, hostname, origin, pathname, username, password } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  if (!isSafe || username !== '' || password !== '') return { problem };
  return { value: origin + pathname.replace(/\/+$/, '') };
};

/** One or more URLs, comma separated, kept as text. */
export function urlOrUrls(protocols: readonly string[]): SettingParser<string> {
  const one = url(protocols);
  return (value) => {
    const problem = splitList(value)
      .map((each) => one(each))
      .find((each) => 'problem' in each);
    return problem ?? { value };
  };
}

/** Two to five URLs, comma separated; each of another host, as two of one would agree on a lie. */
export function urls(protocols: readonly string[]): SettingParser<readonly string[]> {
  return (value) => {
    const each = splitList(value);
    const areSound = each.every(
      (one) => URL.canParse(one) && protocols.includes(new URL(one).protocol),
    );
    const problem = `must be 2 to 5 URLs of ${protocols.join('// or ')}//, each of another host`;
    if (!areSound || each.length < 2 || each.length > 5) return { problem };
    const hosts = new Set(each.map((one) => new URL(one).host));
    return hosts.size === each.length ? { value: each } : { problem };
  };
}

/** A positive plain decimal, kept as text so that no digit is lost. */
const positiveDecimal: SettingParser<string> = (value) =>
  /^(0|[1-9]\d{0,17})(\.\d{1,8})?$/.test(value) && /[1-9]/.test(value)
    ? { value }
    : { problem: 'must be a decimal number above zero with at most 8 decimals' };

/** As positiveUsdt, or zero. */
export const usdt: SettingParser<string> = (value) =>
  /^0(\.0{1,6})?$/.test(value) ? { value } : positiveUsdt(value);

/** A positive amount of USDT with the precision of the chain. */
export const positiveUsdt: SettingParser<string> = (value) =>
  /\.\d{7}/.test(value) ? { problem: 'must have at most 6 decimals' } : positiveDecimal(value);

/** TOKEN:MINIMUM pairs, comma separated. */
export const tokenMinimums: SettingParser<ReadonlyMap<string, string>> = (value) => {
  const minimums = new Map<string, string>();
  for (const pair of splitList(value)) {
    const [token = '', minimum = '', ...rest] = pair.split(':');
    const isValid = /^[A-Za-z0-9]{1,20}$/.test(token) && rest.length === 0;
    if (!isValid || 'problem' in positiveDecimal(minimum)) {
      return { problem: 'must be TOKEN:MINIMUM pairs, comma separated, for example DF:1' };
    }
    minimums.set(token, minimum);
  }
  return { value: minimums };
};

/** EVM addresses, comma separated; in lowercase, without duplicates. */
export const evmAddresses: SettingParser<readonly string[]> = (value) => {
  const addresses = splitList(value).map((each) => each.toLowerCase());
  const areSound = addresses.every((each) => /^0x[0-9a-f]{40}$/.test(each));
  return areSound && new Set(addresses).size === addresses.length
    ? { value: addresses }
    : { problem: 'must be different addresses, comma separated' };
};

/** Addresses and CIDR blocks, comma separated. */
export const cidrList: SettingParser<readonly string[]> = (value) => {
  const blocks = splitList(value);
  const wrong = blocks.find((block) => !isCidr(block));
  return wrong === undefined
    ? { value: blocks }
    : { problem: `must be addresses or CIDR blocks; ${JSON.stringify(wrong)} is neither` };
};

/** Origins such as https://app.example.com, comma separated, or `*` alone. */
export const originList: SettingParser<readonly string[]> = (value) => {
  const origins = splitList(value);
  if (origins.length === 1 && origins[0] === '*') return { value: origins };
  const wrong = origins.find(
    (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin,
  );
  return wrong === undefined
    ? { value: origins }
    : { problem: `must be origins such as https://app.example.com; got ${JSON.stringify(wrong)}` };
};

function splitList(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A normalized address or block: no zone, no mapped IPv4, no leading zeros in the prefix. */
function isCidr(block: string): boolean {
  const [address = '', prefix, ...rest] = block.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%') || isMapped(address)) return false;
  if (prefix === undefined) return true;
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

function isMapped(address: string): boolean {
  if (isIP(address) !== 6) return false;
  return new URL(`http://[${address}]/`).hostname.startsWith('[::ffff:');
}
