import { beforeEach, describe, expect, test } from 'vitest';
import {
  alice,
  exampleSpotMarket,
  ScriptedExchange,
} from '../../../test/support/scripted-exchange.ts';
import { amountMax, requireAmount, toAmount } from '../../domain/amount.ts';
import { DatabaseError } from '../ports/database.ts';
import { createSpotMarket } from './create-spot-market.ts';
import { creditSpotBalance, type SpotCredit, type TestCreditPorts } from './credit-spot-balance.ts';
import { setSpotMarketStatus } from './set-spot-market-status.ts';

let exchange: ScriptedExchange;
let isDatabaseUp: boolean;
let barrierError: Error | null;
let waitedFor: number[];
let warnings: string[];
let ports: TestCreditPorts;

beforeEach(() => {
  exchange = new ScriptedExchange();
  isDatabaseUp = true;
  barrierError = null;
  waitedFor = [];
  warnings = [];
  ports = {
    exchange,
    barrier: {
      waitFor: async (sequence) => {
        waitedFor.push(sequence);
        if (barrierError !== null) throw barrierError;
      },
    },
    database: { isReachable: async () => isDatabaseUp },
    log: { warn: (_details, message) => void warnings.push(message) },
    areTestCreditsEnabled: true,
  };
});

const terms = exampleSpotMarket();
const credit: SpotCredit = {
  address: alice,
  token: 'USDT',
  amount: requireAmount('10'),
  reason: null,
  reference: null,
};

describe('createSpotMarket', () => {
  test('createSpotMarket: answers with the symbol once its rows are committed', async () => {
    expect(await createSpotMarket(ports, terms)).toEqual({ kind: 'done', value: 'BTCUSDT' });
    expect(waitedFor).toEqual([exchange.durableSequence]);
  });

  test('createSpotMarket: a taken symbol is reported even while the database is down', async () => {
    exchange.scripted.markets.push(terms);
    isDatabaseUp = false;
    expect(await createSpotMarket(ports, terms)).toEqual({
      kind: 'refused',
      rejection: { reason: 'market_exists' },
    });
  });

  test('createSpotMarket: nothing is created while the database is down', async () => {
    isDatabaseUp = false;
    await expect(createSpotMarket(ports, terms)).rejects.toThrow(DatabaseError);
    expect(exchange.submitted).toEqual([]);
  });

  test('createSpotMarket: a database that is lost after the write does not change the answer', async () => {
    barrierError = new DatabaseError('connection reset');
    expect(await createSpotMarket(ports, terms)).toEqual({ kind: 'done', value: 'BTCUSDT' });
    expect(warnings).toEqual(['a durable write waits for the database to be recorded']);
  });

  test('createSpotMarket: another failure of the wait is not hidden', async () => {
    barrierError = new TypeError('a bug');
    await expect(createSpotMarket(ports, terms)).rejects.toThrow('a bug');
  });
});

describe('setSpotMarketStatus', () => {
  test('setSpotMarketStatus: sends a known status of a known market to the engine', async () => {
    exchange.scripted.markets.push(terms);
    expect(await setSpotMarketStatus(ports, 'BTCUSDT', 'halted')).toMatchObject({ kind: 'done' });
    expect(exchange.submitted).toEqual([
      { type: 'setSpotMarketStatus', symbol: 'BTCUSDT', status: 'halted' },
    ]);
  });

  test('setSpotMarketStatus: an unknown status is reported before an unknown market', async () => {
    expect(await setSpotMarketStatus(ports, 'NOPE', 'Halted')).toEqual({
      kind: 'refused',
      rejection: { reason: 'market_status_not_allowed' },
    });
  });

  test('setSpotMarketStatus: an unknown market is reported before an unreachable database', async () => {
    isDatabaseUp = false;
    expect(await setSpotMarketStatus(ports, 'NOPE', 'halted')).toEqual({
      kind: 'refused',
      rejection: { reason: 'market_not_found' },
    });
  });
});

describe('creditSpotBalance', () => {
  test('creditSpotBalance: is recorded as ordered by admin_api_key', async () => {
    expect(await creditSpotBalance(ports, { ...credit, reference: 'r1' })).toEqual({
      kind: 'done',
      value: null,
    });
    expect(exchange.submitted).toMatchObject([{ actor: 'admin_api_key', reference: 'r1' }]);
  });

  test('creditSpotBalance: outside a test network it is disabled, which is checked first', async () => {
    ports = { ...ports, areTestCreditsEnabled: false };
    isDatabaseUp = false;
    const none = { ...credit, amount: toAmount(0n) };
    expect(await creditSpotBalance(ports, none)).toEqual({
      kind: 'refused',
      rejection: { reason: 'test_credits_disabled' },
    });
  });

  test('creditSpotBalance: an amount of zero or less is refused before the database is queried', async () => {
    isDatabaseUp = false;
    for (const amount of [0n, -1n]) {
      expect(await creditSpotBalance(ports, { ...credit, amount: toAmount(amount) })).toEqual({
        kind: 'refused',
        rejection: { reason: 'amount_not_positive' },
      });
    }
  });

  test('creditSpotBalance: an amount beyond the maximum of a balance is refused', async () => {
    const amount = toAmount(amountMax + 1n);
    expect(await creditSpotBalance(ports, { ...credit, amount })).toEqual({
      kind: 'refused',
      rejection: { reason: 'amount_out_of_range' },
    });
  });

  test('creditSpotBalance: nothing is credited while the database is down', async () => {
    isDatabaseUp = false;
    await expect(creditSpotBalance(ports, credit)).rejects.toThrow(DatabaseError);
    expect(exchange.submitted).toEqual([]);
  });
});
