import { type Static, Type } from 'typebox';
import type { AdminWritePorts } from '../../../application/admin/admin-write.ts';
import { createFuturesMarket } from '../../../application/futures/administer-futures.ts';
import type { Amount } from '../../../domain/amount.ts';
import { decimalOne, parseDecimalValue } from '../../../domain/decimal.ts';
import { futuresFeeBpsMax } from '../../../domain/fee.ts';
import {
  defaultGuards,
  type FuturesMarketTerms,
  type IndexPriceSource,
  type Rate,
} from '../../../domain/futures-market.ts';
import { done, type Outcome } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { invalid, readMarketSizes, readPositiveAmount } from '../read-decimal.ts';
import { decimalInput, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { tokenInput } from './admin-schemas.ts';

const leverageMax = 125;
const bpsMax = 10_000;

const feeInput = (description: string) =>
  Type.Integer({ minimum: 0, maximum: futuresFeeBpsMax, description, examples: [2] });

const bpsInput = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: bpsMax, description, examples: [example] });

const marketBody = strictObject({
  symbol: Type.String({
    description: 'The name of the market, 2 to 20 letters and digits, kept in upper case',
    examples: ['BTCUSDT'],
  }),
  base_asset: tokenInput('The underlying asset', 'BTC'),
  tick_size: decimalInput('Prices are multiples of it', '0.1'),
  lot_size: decimalInput('Quantities are multiples of it, at most 8 decimals', '0.001'),
  min_notional: decimalInput('Minimum price x quantity of an order, 0 for none', '5'),
  max_notional: decimalInput('Maximum price x quantity of an order', '10000000'),
  max_leverage: Type.Integer({
    minimum: 1,
    maximum: leverageMax,
    description: 'The highest leverage',
    examples: [100],
  }),
  maintenance_margin_rate: decimalInput(
    'The maintenance margin rate of the lowest bracket, at most 9 decimals',
    '0.004',
  ),
  maker_fee_bps: feeInput('The VIP 0 fee of a resting order in basis points'),
  taker_fee_bps: feeInput('The VIP 0 fee of an arriving order in basis points'),
  index_jump_bps: Type.Optional(
    bpsInput(
      'An index price that differs by more than this waits for a second one, in basis ' +
        'points; 0: off',
      1_000,
    ),
  ),
  trade_band_bps: Type.Optional(
    bpsInput(
      'Maximum distance of a trade from the mark price in basis points; absent: 1000',
      1_000,
    ),
  ),
  max_open_interest: Type.Optional(
    decimalInput(
      'Maximum value of all long positions together; absent: 10 x max_notional',
      '100000000',
    ),
  ),
});

export interface FuturesAdminPorts extends AdminWritePorts {
  readonly indexPriceSource: IndexPriceSource;
}

/** Creates a perpetual market. */
export function createFuturesMarketEndpoint(ports: FuturesAdminPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/futures/markets',
    tag: 'Administration',
    summary: 'Create a perpetual market',
    description:
      'Creates a USDT perpetual with the status listed. The leverage brackets above the ' +
      'lowest are derived from the lowest.',
    weight: 0,
    auth: administrator,
    body: marketBody,
    answer: strictObject({
      ok: Type.Boolean({ description: 'Always true', examples: [true] }),
      symbol: Type.String({ description: 'The name of the market', examples: ['BTCUSDT'] }),
    }),
    errorRows: engineUnavailableIsDatabaseError,
    reasons: ['market_exists'],
    handle: async ({ body }) => {
      const terms = readTerms(body, ports.indexPriceSource);
      if (terms.kind === 'refused') return terms;
      const created = await createFuturesMarket(ports, terms.value);
      return created.kind === 'refused' ? created : done({ ok: true, symbol: created.value });
    },
  });
}

function readTerms(
  body: Static<typeof marketBody>,
  indexPriceSource: IndexPriceSource,
): Outcome<FuturesMarketTerms> {
  const sizes = readMarketSizes(body);
  if (sizes.kind === 'refused') return sizes;
  const maxNotional = readPositiveAmount('max_notional', body.max_notional);
  if (maxNotional.kind === 'refused') return maxNotional;
  if (sizes.value.minNotional < 0n) return invalid('min_notional: must not be below 0');
  if (maxNotional.value < sizes.value.minNotional) {
    return invalid('max_notional: must not be below min_notional');
  }
  const rate = readMarginRate(body.maintenance_margin_rate, body.max_leverage);
  if (rate.kind === 'refused') return rate;
  const guards = readGuards(body, maxNotional.value);
  if (guards.kind === 'refused') return guards;
  return done({
    symbol: body.symbol,
    baseAsset: body.base_asset,
    ...sizes.value,
    maxNotional: maxNotional.value,
    maxLeverage: body.max_leverage,
    maintenanceMarginRate: rate.value,
    makerFeeBps: body.maker_fee_bps,
    takerFeeBps: body.taker_fee_bps,
    indexPriceSource,
    ...guards.value,
  });
}

function readGuards(
  body: Static<typeof marketBody>,
  maxNotional: Amount,
): Outcome<ReturnType<typeof defaultGuards>> {
  const usual = defaultGuards(maxNotional);
  const given = body.max_open_interest;
  const maxOpenInterest =
    given === undefined
      ? done(usual.maxOpenInterest)
      : readPositiveAmount('max_open_interest', given);
  if (maxOpenInterest.kind === 'refused') return maxOpenInterest;
  return done({
    indexJumpBps: body.index_jump_bps ?? usual.indexJumpBps,
    tradeBandBps: body.trade_band_bps ?? usual.tradeBandBps,
    maxOpenInterest: maxOpenInterest.value,
  });
}

const decimalsPerRate = 10n ** 9n;

/** Must be above zero, and at most two thirds of the initial margin at the highest leverage. */
function readMarginRate(value: string | number, maxLeverage: number): Outcome<Rate> {
  const field = 'maintenance_margin_rate';
  const decimal = parseDecimalValue(value);
  if (decimal === null) return invalid(`${field}: not a plain decimal number`);
  if (decimal <= 0n || 3n * decimal * BigInt(maxLeverage) > 2n * decimalOne) {
    return invalid(`${field}: above 0 and at most 2 / 3 of 1 / max_leverage`);
  }
  if (decimal % decimalsPerRate !== 0n) return invalid(`${field}: at most 9 decimals`);
  return done((decimal / decimalsPerRate) as Rate);
}
