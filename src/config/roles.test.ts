import { expect, test } from 'vitest';
import { findRoleProblems, readRoles } from './roles.ts';

test('roles: without the setting a process does everything', () => {
  expect(readRoles(null)).toEqual({ mayOwn: true, isGateway: true });
  expect(findRoleProblems(null, null)).toEqual([]);
});

test('roles: each one is named', () => {
  const nats = 'nats://127.0.0.1:4222';
  const rows: readonly (readonly [string, boolean, boolean])[] = [
    ['order,replica,gateway', true, true],
    ['order, replica', true, false],
    ['replica,gateway', false, true],
    ['replica', false, false],
  ];
  for (const [text, mayOwn, isGateway] of rows) {
    expect(findRoleProblems(text, nats)).toEqual([]);
    expect(readRoles(text)).toEqual({ mayOwn, isGateway });
  }
});

test('roles: an invalid setting is refused with the reason', () => {
  const nats = 'nats://127.0.0.1:4222';
  expect(findRoleProblems('orders,replica', nats)).toEqual([
    'ROLES names orders; there are order, replica, gateway',
  ]);
  expect(findRoleProblems('gateway', nats)).toEqual([
    'ROLES must name replica: every process holds the state of the exchange',
  ]);
  expect(findRoleProblems('replica', null)).toEqual([
    'ROLES needs NATS_URL: a single process does everything',
  ]);
});
