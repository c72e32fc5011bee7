import { expect, it } from 'vitest';
import type { TokenId } from '../../domain/identifiers.ts';
import { Tokens } from './tokens.ts';

it('tokens: each symbol has a number, and a number that no symbol has breaks a rule', () => {
  const tokens = new Tokens();
  expect(tokens.find('BTC')).toBeNull();
  expect([tokens.add('USDT'), tokens.add('BTC')]).toEqual([0, 1]);
  expect(tokens.find('BTC')).toBe(1);
  expect(tokens.getSymbol(1 as TokenId)).toBe('BTC');
  expect(() => tokens.getSymbol(2 as TokenId)).toThrow('there is no token 2');
});
