import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf } from '../../domain/request-digest.ts';
import { SignatureTable } from './signature-table.ts';

const signature = (number: number): string =>
  createHash('sha256').update(String(number)).digest('hex');

test('SignatureTable: agrees with a map while it grows', () => {
  const table = new SignatureTable();
  const map = new Map<string, number>();
  for (let number = 1; number <= 20_000; number += 1) {
    const key = signature(number % 15_000);
    const value = number % 3 === 0 ? -number : number;
    table.set(digestOf(key, 0), value);
    map.set(key, value);
  }
  for (const [key, value] of map) expect(table.get(digestOf(key, 0))).toBe(value);
  for (let number = 20_000; number < 21_000; number += 1) {
    expect(table.get(digestOf(signature(number), 0))).toBe(0);
  }
});

test('SignatureTable: signatures that differ in one digit are distinct', () => {
  const table = new SignatureTable();
  const one = 'f'.repeat(64);
  for (let index = 0; index < 24; index += 1) {
    const other = `${one.slice(0, index)}0${one.slice(index + 1)}`;
    table.set(digestOf(other, 0), index + 1);
  }
  expect(table.get(digestOf(one, 0))).toBe(0);
  for (let index = 0; index < 24; index += 1) {
    const other = `${one.slice(0, index)}0${one.slice(index + 1)}`;
    expect(table.get(digestOf(other, 0))).toBe(index + 1);
  }
});
