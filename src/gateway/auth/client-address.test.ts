import { describe, expect, test } from 'vitest';
import { AddressSet, ClientAddresses, isAddressBlock, normalizeAddress } from './client-address.ts';

describe('normalizeAddress', () => {
  test.each([
    ['9.9.9.9', '9.9.9.9'],
    ['::ffff:9.9.9.9', '9.9.9.9'],
    ['::FFFF:9.9.9.9', '9.9.9.9'],
    ['::ffff:0909:0909', '9.9.9.9'],
    ['::ffff:909:909', '9.9.9.9'],
    ['0:0:0:0:0:ffff:9.9.9.9', '9.9.9.9'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ])('%s is %s', (text, address) => {
    expect(normalizeAddress(text)).toBe(address);
  });

  test.each([
    '',
    'localhost',
    '010.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x7f.1',
    '2130706433',
    '1.2.3.4:80',
    '[::1]',
    ':::1',
    '1.2.3.4 ',
  ])('%j is not an address', (text) => {
    expect(normalizeAddress(text)).toBeNull();
  });
});

describe('AddressSet', () => {
  test.each([
    ['9.9.9.9', '9.9.9.9', true],
    ['9.9.9.9', '9.9.9.8', false],
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3/8', '10.200.0.1', true],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '2001:db8::1', true],
    ['::ffff:9.9.9.9', '9.9.9.9', true],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
  ])('%s, does it contain %s: %s', (entry, address, isIn) => {
    expect(new AddressSet([entry]).has(address)).toBe(isIn);
  });

  test('an empty set contains nothing', () => {
    const empty = new AddressSet([]);
    expect([empty.isEmpty, empty.has('9.9.9.9')]).toEqual([true, false]);
  });
});

test.each([
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/08',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '::/129',
  '::ffff:10.0.0.0/8',
  'fe80::1%eth0',
  '10.0.0.0/8 ',
  '*',
])('isAddressBlock: %j is not one', (text) => {
  expect(isAddressBlock(text)).toBe(false);
});

describe('ClientAddresses', () => {
  const find = (trusted: string[], peer: string, forwarded?: string): string =>
    new ClientAddresses(trusted).find(peer, forwarded);

  test('without trusted proxies X-Forwarded-For is ignored', () => {
    expect(find([], '9.9.9.9', '1.2.3.4')).toBe('9.9.9.9');
  });

  test('an IPv4 peer on a socket for both kinds is an IPv4 address', () => {
    expect(find([], '::ffff:9.9.9.9')).toBe('9.9.9.9');
  });

  test('a peer that is not a trusted proxy cannot name another client', () => {
    expect(find(['10.0.0.0/8'], '9.9.9.9', '1.2.3.4')).toBe('9.9.9.9');
  });

  test('behind a trusted proxy: the right-most address that is not one', () => {
    expect(find(['10.0.0.0/8'], '10.0.0.1', '1.2.3.4')).toBe('1.2.3.4');
    expect(find(['10.0.0.0/8'], '::ffff:10.0.0.1', '1.2.3.4')).toBe('1.2.3.4');
    expect(find(['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4')).toBe('1.2.3.4');
    expect(find(['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2')).toBe('1.2.3.4');
  });

  test('a hop that is not an address ends the search at the proxy that reported it', () => {
    expect(find(['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, junk, 10.0.0.2')).toBe('10.0.0.2');
    expect(find(['10.0.0.0/8'], '10.0.0.1', '')).toBe('10.0.0.1');
  });

  test('all hops trusted: the left-most', () => {
    expect(find(['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3');
  });

  test('a forwarded IPv4-mapped IPv6 address is the IPv4 address', () => {
    expect(find(['::1'], '::1', '::ffff:0102:0304')).toBe('1.2.3.4');
  });
});
