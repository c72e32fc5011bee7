import { changeLeverage } from '../../../application/futures/account-leverage.ts';
import { type FuturesPorts, readAccount } from '../../../application/futures/futures-ports.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatScaled } from '../../../domain/decimal.ts';
import {
  type FuturesMarket,
  type LeverageBracket,
  rateScale,
} from '../../../domain/futures-market.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { maxNotionalAt } from '../../../domain/leverage-brackets.ts';
import { done } from '../../../domain/outcome.ts';
import { exchangeErrors } from '../../errors/exchange-errors.ts';
import { accountReads, accountTrades, type Endpoint, namedError } from '../endpoint.ts';
import { KeptList, rawJson } from '../kept-list.ts';
import type { RequestLimits } from '../request-limiter.ts';
import { badSymbol, failed, operationDone, optionalMarket, requireMarket } from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';
import type { FapiFields } from './fapi-fields.ts';
import { rateLimits } from './get-exchange-info.ts';

const nobody = 0 as AccountId;
const amountsPerUnit = 100_000_000;
const rateUnit = 1_000_000_000;
const symbolFields = { symbol: 'The market, for example BTCUSDT' };

/** Leverage, fees, and the modes, each of which has only one value on this exchange. */
export function accountSettings(ports: FuturesPorts, limits: RequestLimits): readonly Endpoint[] {
  return [
    setLeverage(ports),
    leverageBracket(ports),
    commissionRate(ports),
    symbolConfig(ports),
    accountConfig(ports),
    ...marginType(ports),
    ...switches(),
    accountEndpoint(accountReads, {
      method: 'GET',
      path: '/fapi/v1/rateLimit/order',
      summary: 'Order limits',
      weight: 1,
      fields: {},
      answers: 'The limits on orders',
      handle: () =>
        done(rateLimits(limits).filter(({ rateLimitType }) => rateLimitType === 'ORDERS')),
    }),
  ];
}

function setLeverage(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountTrades, {
    method: 'POST',
    path: '/fapi/v1/leverage',
    summary: 'Set leverage',
    weight: 1,
    description: 'Stored for the account and market; later orders there use it.',
    fields: { ...symbolFields, leverage: 'A whole number, or its text, of at least 1' },
    answers: 'leverage, maxNotionalValue and symbol',
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const leverage = fields.required('leverage', () =>
        fields.integer('leverage', Number.MIN_SAFE_INTEGER),
      );
      const failure = failed(fields);
      if (failure !== null || leverage === null) return failure ?? badSymbol;
      if (market === null) return badSymbol;
      const set = await changeLeverage(ports.exchange, address, market, leverage);
      if (set.kind === 'refused') {
        if (set.rejection.reason !== 'leverage_out_of_range') return set;
        return namedError(exchangeErrors.invalidLeverage, { leverage: String(leverage) });
      }
      const { symbol } = market;
      const maxNotionalValue = formatAmount(maxNotionalAt(market.brackets, leverage));
      return done({ leverage, maxNotionalValue, symbol });
    },
  });
}

function leverageBracket(ports: FuturesPorts): Endpoint {
  const describe = ({ symbol, brackets }: FuturesMarket) => ({
    symbol,
    brackets: brackets.map(bracketObject),
  });
  // The engine replaces a market's object whenever it changes.
  const all = new KeptList<FuturesMarket>((kept, market) => kept === market, describe);
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/leverageBracket',
    summary: 'Margin tiers',
    weight: 1,
    fields: { symbol: 'Absent: all markets' },
    answers: 'Tiers of maintenance margin',
    handle: async (fields) => {
      const asked = optionalMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (asked === undefined) return badSymbol;
      const markets = await ports.exchange.read(({ futures }) => futures.listFuturesMarkets());
      return asked === null ? rawJson(all.write(markets)) : done(describe(asked));
    },
  });
}

// Binance returns these as numbers; they are for display, and money is never computed from them.
function bracketObject(bracket: LeverageBracket) {
  return {
    bracket: bracket.bracket,
    initialLeverage: bracket.maxLeverage,
    notionalCap: Number(bracket.notionalCap) / amountsPerUnit,
    notionalFloor: Number(bracket.notionalFloor) / amountsPerUnit,
    maintMarginRatio: Number(bracket.maintenanceMarginRate) / rateUnit,
    cum: Number(bracket.maintenanceAmount) / amountsPerUnit,
  };
}

function commissionRate(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/commissionRate',
    summary: 'Fee rates',
    weight: 20,
    fields: symbolFields,
    answers: 'The rates that the account is charged',
    handle: (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      return readAccount(ports, address, ({ futures }, accountId) => {
        const { maker, taker } = futures.getEffectiveFees(accountId ?? nobody, market.marketId);
        const makerCommissionRate = formatScaled(maker, rateScale);
        const takerCommissionRate = formatScaled(taker, rateScale);
        const rpiCommissionRate = makerCommissionRate;
        return done({
          symbol: market.symbol,
          makerCommissionRate,
          takerCommissionRate,
          rpiCommissionRate,
        });
      });
    },
  });
}

function symbolConfig(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/symbolConfig',
    summary: 'Settings by market',
    weight: 5,
    fields: { symbol: 'Absent: all markets' },
    answers: 'Margin type and leverage',
    handle: (fields, { address }) => {
      const asked = optionalMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (asked === undefined) return badSymbol;
      return readAccount(ports, address, ({ futures }, accountId) => {
        const markets = asked === null ? futures.listFuturesMarkets() : [asked];
        return done(
          markets.map((market) => {
            const leverage = futures.getLeverage(accountId ?? nobody, market.marketId);
            const maxNotionalValue = formatAmount(maxNotionalAt(market.brackets, leverage));
            const { symbol } = market;
            return {
              symbol,
              marginType: 'CROSSED',
              isAutoAddMargin: false,
              leverage,
              maxNotionalValue,
            };
          }),
        );
      });
    },
  });
}

function accountConfig(ports: FuturesPorts): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: '/fapi/v1/accountConfig',
    summary: 'Account settings',
    weight: 5,
    fields: {},
    answers: 'Fee tier, permissions and modes',
    handle: (_fields, { address }) =>
      readAccount(ports, address, ({ futures }, accountId) =>
        done({
          feeTier: accountId === null ? 0 : futures.getFeeTerms(accountId).vipTier,
          canTrade: true,
          canDeposit: true,
          canWithdraw: true,
          dualSidePosition: false,
          updateTime: ports.now(),
          multiAssetsMargin: false,
          tradeGroupId: -1,
        }),
      ),
  });
}

/** Positions use cross margin; setting it again changes nothing. */
function marginType(ports: FuturesPorts): readonly Endpoint[] {
  const path = '/fapi/v1/marginType';
  const modes = ['CROSSED', 'ISOLATED'];
  return [
    accountEndpoint(accountReads, {
      method: 'GET',
      path,
      summary: 'Margin type',
      weight: 1,
      fields: symbolFields,
      answers: 'marginType CROSSED',
      handle: (fields) => {
        const market = optionalMarket(ports, fields);
        if (market === undefined) return badSymbol;
        const symbol = market === null ? {} : { symbol: market.symbol };
        return failed(fields) ?? done({ ...symbol, marginType: 'CROSSED' });
      },
    }),
    accountEndpoint(accountTrades, {
      method: 'POST',
      path,
      summary: 'Set the margin type',
      weight: 1,
      fields: { ...symbolFields, marginType: 'CROSSED' },
      answers: 'code 200',
      handle: (fields) => {
        const market = requireMarket(ports, fields);
        const mode = fields.requiredText('marginType');
        if (mode !== '' && !modes.includes(mode))
          fields.fail('parameter_combination', 'marginType');
        const failure = failed(fields);
        if (failure !== null) return failure;
        if (market === null) return badSymbol;
        if (mode === 'ISOLATED') return namedError(exchangeErrors.isolatedUnsupported);
        return done(operationDone);
      },
    }),
  ];
}

/**
 * One-way mode and single-asset margin: the switches can be read, and set to their current value.
 */
function switches(): readonly Endpoint[] {
  return [
    ...oneWaySwitch('/fapi/v1/positionSide/dual', 'dualSidePosition', 'Hedge mode', (fields) => {
      fields.flag('dualSidePosition');
      return exchangeErrors.hedgeModeUnsupported;
    }),
    ...oneWaySwitch('/fapi/v1/multiAssetsMargin', 'multiAssetsMargin', 'Multi-asset margin', () => {
      return exchangeErrors.badCombination;
    }),
  ];
}

function oneWaySwitch(
  path: string,
  name: string,
  title: string,
  refusal: (fields: FapiFields) => (typeof exchangeErrors)[keyof typeof exchangeErrors],
): readonly Endpoint[] {
  return [
    accountEndpoint(accountReads, {
      method: 'GET',
      path,
      summary: title,
      weight: 30,
      fields: {},
      answers: `${name}: false`,
      handle: () => done({ [name]: false }),
    }),
    accountEndpoint(accountTrades, {
      method: 'POST',
      path,
      summary: `${title}, off`,
      weight: 1,
      fields: { [name]: 'false' },
      answers: 'code 200',
      handle: (fields) => {
        const isOn = fields.required(name, () => fields.flag(name));
        const failure = failed(fields);
        if (failure !== null) return failure;
        return isOn === true ? namedError(refusal(fields)) : done(operationDone);
      },
    }),
  ];
}
