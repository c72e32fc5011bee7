import type { OwnSpotTrade } from '../../../application/ports/spot-records.ts';
import {
  type BinanceSpotPorts,
  readSpotAccount,
} from '../../../application/trading/binance-spot-ports.ts';
import { formatAmount, zeroAmount } from '../../../domain/amount.ts';
import { formatDecimal } from '../../../domain/decimal.ts';
import type { OrderNumber, TradeId } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { decimalFromLots, decimalFromTicks, type SpotMarket } from '../../../domain/spot-market.ts';
import { binanceSpotErrors as errors } from '../../errors/binance-spot-errors.ts';
import { type Endpoint, namedError } from '../endpoint.ts';
import { badSymbol, failed } from '../fapi/fapi-answers.ts';
import { noRates, rateOf, ratesOf } from './commission.ts';
import { listOwn } from './list-own.ts';
import { noDiscount } from './orders.ts';
import { readSpan } from './read-span.ts';
import * as answers from './reference/spot-account-answers.ts';
import { accountSpot, requireMarket, spotReads } from './spot-endpoint.ts';
import { ownTradesWeight } from './spot-weights.ts';

const symbol = 'The market, for example BTCUSDT; case-sensitive';

/** Balances, own trades and commission rates. */
export function accountEndpoints(ports: BinanceSpotPorts): readonly Endpoint[] {
  return [account(ports), ownTrades(ports), commission(ports)];
}

function account(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotReads, {
    method: 'GET',
    path: '/api/v3/account',
    summary: 'The account',
    weight: 20,
    fields: { omitZeroBalances: 'Omit assets with a zero balance' },
    answer: answers.account,
    handle: (fields, { address }) => {
      const isZeroLeftOut = fields.flag('omitZeroBalances') ?? false;
      const failure = failed(fields);
      if (failure !== null) return failure;
      return readSpotAccount(ports, address, (view, accountId) => {
        const markets = view.listSpotMarkets();
        const maker = Math.max(0, ...markets.map(({ makerFeeBps }) => makerFeeBps));
        const taker = Math.max(0, ...markets.map(({ takerFeeBps }) => takerFeeBps));
        const all = accountId === null ? [] : view.listBalances(accountId);
        const balances = all.filter(
          ({ available, locked }) =>
            !isZeroLeftOut || available > zeroAmount || locked > zeroAmount,
        );
        const canTrade = ports.isSpotTradingEnabled;
        return done({
          makerCommission: maker,
          takerCommission: taker,
          buyerCommission: 0,
          sellerCommission: 0,
          commissionRates: { ...noRates, maker: rateOf(maker), taker: rateOf(taker) },
          canTrade,
          canWithdraw: true,
          canDeposit: true,
          brokered: false,
          requireSelfTradePrevention: true,
          preventSor: false,
          updateTime: ports.now(),
          accountType: 'SPOT',
          balances: balances.map(({ tokenId, available, locked }) => ({
            asset: view.getTokenSymbol(tokenId),
            free: formatAmount(available),
            locked: formatAmount(locked),
          })),
          permissions: ['SPOT'],
          uid: accountId ?? 0,
        });
      });
    },
  });
}

function ownTrades(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotReads, {
    method: 'GET',
    path: '/api/v3/myTrades',
    summary: 'The account’s trades',
    weight: 20,
    weighs: ownTradesWeight,
    fields: {
      symbol,
      orderId: 'Only trades of this order',
      startTime: 'Milliseconds',
      endTime: 'At most 24 hours after startTime',
      fromId: 'This trade and later ones; not with times',
      limit: '500, at most 1000',
    },
    required: ['symbol'],
    answer: answers.ownTrades,
    reasons: ['parameter_missing', 'parameter_combination', 'market_not_found', 'database_failed'],
    namedRows: [errors.lookupTooLong],
    handle: (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const orderNumber = fields.integer('orderId', 1) as OrderNumber | null;
      const from = fields.integer('fromId') as TradeId | null;
      const span = readSpan(fields);
      if (from !== null && (fields.has('startTime') || fields.has('endTime'))) {
        fields.fail('parameter_combination', 'fromId');
      }
      const limit = fields.limit(500, 1_000);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      if (span === 'too_long') return namedError(errors.lookupTooLong);
      return listOwn(
        ports,
        address,
        { market, from, limit, span },
        {
          list: (filter) => ports.spotRecords.listOwnTrades({ ...filter, orderNumber }),
          show: tradeObject,
        },
      );
    },
  });
}

function tradeObject(market: SpotMarket, { trade, role, createdAt }: OwnSpotTrade) {
  const isTaker = role === 'taker';
  const isBuyer = (trade.takerSide === 'buy') === isTaker;
  return {
    symbol: market.symbol,
    id: trade.tradeId,
    orderId: isTaker ? trade.takerOrderNumber : trade.makerOrderNumber,
    orderListId: -1,
    price: formatDecimal(decimalFromTicks(market, trade.price)),
    qty: formatDecimal(decimalFromLots(market, trade.quantity)),
    quoteQty: formatAmount(trade.quoteAmount),
    commission: formatAmount(isTaker ? trade.takerFee : trade.makerFee),
    commissionAsset: isBuyer ? market.baseToken : market.quoteToken,
    time: createdAt,
    isBuyer,
    isMaker: !isTaker,
    isBestMatch: true,
  };
}

function commission(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotReads, {
    method: 'GET',
    path: '/api/v3/account/commission',
    summary: 'Commission rates',
    weight: 20,
    fields: { symbol },
    required: ['symbol'],
    answer: answers.commission,
    reasons: ['parameter_missing', 'market_not_found'],
    handle: (fields) => {
      const market = requireMarket(ports, fields);
      if (market === null) return failed(fields) ?? badSymbol;
      return done({
        symbol: market.symbol,
        standardCommission: ratesOf(market),
        specialCommission: noRates,
        taxCommission: noRates,
        discount: noDiscount,
      });
    },
  });
}
