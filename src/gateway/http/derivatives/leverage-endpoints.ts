import { Type } from 'typebox';
import {
  changeLeverage,
  listLeverageBrackets,
  listLeverages,
} from '../../../application/futures/account-leverage.ts';
import { type FuturesPorts, peekMarket } from '../../../application/futures/futures-ports.ts';
import { refused } from '../../../domain/outcome.ts';
import { accountReads, accountTrades, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { byMarket } from '../market-weight.ts';
import { marketRefusals } from '../refusals.ts';
import { decimalText, nullable, strictObject } from '../schema.ts';
import { optionalSymbol, symbolInput, symbolText } from './derivative-schemas.ts';

const path = '/api/v1/leverage';

const leverageSchema = strictObject(
  {
    symbol: symbolText,
    leverage: Type.Integer({ description: 'Notional over initial margin', examples: [20] }),
    max_leverage: Type.Integer({
      description: 'The highest leverage of the market',
      examples: [100],
    }),
    max_notional: nullable(
      decimalText('The largest position at this leverage, in USDT; null: unlimited', '5000000'),
    ),
  },
  { title: 'Leverage', description: "The caller's leverage in a market" },
);

/** The caller's leverage, and the brackets that limit it. */
export function leverageEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  return [getLeverage(ports), setLeverage(ports), getLeverageBrackets(ports)];
}

function getLeverage({ exchange }: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    tag: 'Derivatives account',
    summary: 'Get the leverage',
    description:
      "The caller's leverage in one market or in all; 20 by default, or max_leverage if " +
      'that is lower.',
    weight: 1,
    auth: accountReads,
    query: strictObject({ symbol: optionalSymbol }),
    answer: Type.Array(leverageSchema, { description: 'One entry per market' }),
    reasons: marketRefusals,
    handle: ({ caller, query }) => listLeverages(exchange, caller.address, query.symbol ?? null),
  });
}

function setLeverage(ports: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path,
    tag: 'Derivatives trading',
    summary: 'Set the leverage',
    description:
      'Stored for the account and market; later orders use it, and the margin of open ' +
      'orders and positions there changes immediately. Refused if that margin is not ' +
      'covered, or if the position is larger than the leverage allows.',
    weight: 1,
    auth: accountTrades,
    body: strictObject(
      {
        symbol: symbolInput,
        leverage: Type.Integer({
          minimum: 1,
          maximum: 999,
          description: 'From 1 to max_leverage of the market',
          examples: [10],
        }),
      },
      { examples: [{ symbol: 'BTCUSDT', leverage: 10 }] },
    ),
    answer: leverageSchema,
    reasons: [
      ...marketRefusals,
      'leverage_out_of_range',
      'insufficient_margin',
      'account_in_liquidation',
    ],
    handle: async ({ caller, body }) => {
      const market = peekMarket(ports, body.symbol);
      if (market === null) return refused({ reason: 'market_not_found' });
      return changeLeverage(ports.exchange, caller.address, market, body.leverage);
    },
  });
}

function getLeverageBrackets({ exchange }: FuturesPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/leverage-brackets',
    tag: 'Derivatives account',
    summary: 'Get the leverage brackets',
    description:
      'The tiers of one market or of all: how much leverage and maintenance margin a ' +
      'position has by its notional. Margin = notional x maintenance_margin_rate - ' +
      'maintenance_amount. From half of the maximum open interest, orders that add to it ' +
      'need a higher initial margin, which reaches 100 % at the maximum.',
    weight: 10,
    weighs: byMarket(1, 10),
    auth: accountReads,
    query: strictObject({ symbol: optionalSymbol }),
    answer: Type.Array(
      strictObject({
        symbol: symbolText,
        open_interest_value: nullable(
          decimalText(
            'Value of all longs at the mark price, in USDT; null: no price yet',
            '1250000',
          ),
        ),
        margin_raised_from: decimalText(
          'The open interest above which initial margins rise, in USDT',
          '50000000',
        ),
        max_open_interest: decimalText('The largest open interest, in USDT', '100000000'),
        brackets: Type.Array(bracketSchema, { description: 'Lowest notional first' }),
      }),
      { description: 'One entry per market' },
    ),
    reasons: marketRefusals,
    handle: ({ query }) => listLeverageBrackets(exchange, query.symbol ?? null),
  });
}

const bracketSchema = strictObject({
  bracket: Type.Integer({ description: 'The number of the tier, from 1', examples: [1] }),
  max_leverage: Type.Integer({ description: 'The highest leverage within it', examples: [100] }),
  notional_floor: decimalText('Lower bound, in USDT', '0'),
  notional_cap: nullable(
    decimalText('Lower bound of the next tier; null: this is the last one', '1000000'),
  ),
  initial_margin_rate: decimalText(
    'The current initial margin rate of what an order adds, at the highest leverage of the ' +
      'tier',
    '0.01',
  ),
  maintenance_margin_rate: decimalText('The maintenance margin rate', '0.004'),
  maintenance_amount: decimalText('Subtracted, so that margin is continuous', '0'),
});
