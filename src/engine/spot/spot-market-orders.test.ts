import { describe, it } from 'vitest';
import { expectRules } from '../../../test/support/rule-table.ts';

describe('market orders by the other size', () => {
  it('market buy of a quantity: pays level by level, and needs no more than it pays', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 10 fees 0/0 -> ok
      credit alice 10 BTC -> ok
      credit carol 301 USDT -> ok
      carol buys 1 BTC -> expired 0 for 0
      alice sells 1 BTC at 100 -> new
      alice sells 2 BTC at 101 -> new
      carol buys 4 BTC -> refused insufficient_balance
      carol has -> 301 USDT
      carol buys 2 BTC -> filled 2 for 201
      carol has -> 2 BTC, 100 USDT
      carol buys 1 BTC -> refused insufficient_balance
      credit carol 1 USDT -> ok
      carol buys 2 BTC -> expired 1 for 101
      carol has -> 3 BTC, 0 USDT
    `);
  });

  it('market sell for an amount: sells the most whole lots that do not exceed it, and needs only these', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 10 fees 0/0 -> ok
      credit alice 1000 USDT -> ok
      credit bob 2 BTC -> ok
      bob sells BTC for 50 -> expired 0 for 0
      alice buys 1 BTC at 101 -> new
      alice buys 3 BTC at 100 -> new
      bob sells BTC for 9 -> refused below_min_notional
      bob sells BTC for 301 -> refused insufficient_balance
      bob sells BTC for 250 -> filled 2 for 201
      bob has -> 0 BTC, 201 USDT
    `);
  });
});
