import { formatAverage } from '../../../application/format-average.ts';
import { type FuturesPorts, readAccount } from '../../../application/futures/futures-ports.ts';
import type { FuturesView } from '../../../application/ports/exchange.ts';
import { type Amount, formatAmount, toAmount, zeroAmount } from '../../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import {
  breakEvenNotional,
  type FuturesPositionView,
  type PerpAccountView,
} from '../../../domain/futures-position.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { maxNotionalAt } from '../../../domain/leverage-brackets.ts';
import { done } from '../../../domain/outcome.ts';
import { accountReads, type Endpoint } from '../endpoint.ts';
import { badSymbol, failed, optionalMarket } from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';

// The account as Binance shows it: one USDT wallet under cross margin, one position per market.

const blankWallet: Omit<PerpAccountView, 'accountId'> = {
  walletBalance: zeroAmount,
  unrealizedProfit: zeroAmount,
  equity: zeroAmount,
  positionMargin: zeroAmount,
  orderMargin: zeroAmount,
  maintenanceMargin: zeroAmount,
  available: zeroAmount,
  withdrawable: zeroAmount,
  reserved: zeroAmount,
};

export function accountEndpoints(ports: FuturesPorts): readonly Endpoint[] {
  const versions = ['v1', 'v2', 'v3'] as const;
  return [
    ...versions.map((version) => balance(ports, version)),
    ...versions.map((version) => account(ports, version)),
    ...versions.map((version) => positionRisk(ports, version)),
  ];
}

type Version = 'v1' | 'v2' | 'v3';

function balance(ports: FuturesPorts, version: Version): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: `/fapi/${version}/balance`,
    summary: 'Balances',
    weight: 5,
    fields: {},
    answers: 'One entry for USDT',
    handle: (_fields, { address }) =>
      readAccount(ports, address, ({ futures }, accountId) => {
        const wallet = walletOf(futures, accountId);
        return done([
          {
            accountAlias: address.slice(2, 10),
            asset: 'USDT',
            balance: formatAmount(wallet.walletBalance),
            crossWalletBalance: formatAmount(wallet.walletBalance),
            crossUnPnl: formatAmount(wallet.unrealizedProfit),
            availableBalance: formatAmount(wallet.available),
            maxWithdrawAmount: formatAmount(wallet.withdrawable),
            marginAvailable: true,
            updateTime: ports.now(),
          },
        ]);
      }),
  });
}

function account(ports: FuturesPorts, version: Version): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: `/fapi/${version}/account`,
    summary: 'Account',
    weight: 5,
    fields: {},
    answers: 'Totals, assets and positions',
    handle: (_fields, { address }) =>
      readAccount(ports, address, ({ futures }, accountId) => {
        const wallet = walletOf(futures, accountId);
        const updateTime = ports.now();
        const asset = { asset: 'USDT', ...assetTotals(wallet), marginAvailable: true, updateTime };
        const positions = positionsOf(futures, accountId, version !== 'v3');
        const describe = version === 'v3' ? positionInAccountV3 : positionInAccount;
        return done({
          ...(version === 'v3' ? {} : accountFlags(futures, accountId, updateTime)),
          ...accountTotals(wallet),
          assets: [asset],
          positions: positions.map(({ market, position }) => describe(market, position)),
        });
      }),
  });
}

function accountFlags(futures: FuturesView, accountId: AccountId | null, updateTime: number) {
  return {
    feeTier: accountId === null ? 0 : futures.getFeeTerms(accountId).vipTier,
    feeBurn: false,
    canTrade: true,
    canDeposit: true,
    canWithdraw: true,
    updateTime,
    multiAssetsMargin: false,
    tradeGroupId: -1,
  };
}

function assetTotals(wallet: Omit<PerpAccountView, 'accountId'>) {
  const initialMargin = toAmount(wallet.positionMargin + wallet.orderMargin);
  return {
    walletBalance: formatAmount(wallet.walletBalance),
    unrealizedProfit: formatAmount(wallet.unrealizedProfit),
    marginBalance: formatAmount(wallet.equity),
    maintMargin: formatAmount(wallet.maintenanceMargin),
    initialMargin: formatAmount(initialMargin),
    positionInitialMargin: formatAmount(wallet.positionMargin),
    openOrderInitialMargin: formatAmount(wallet.orderMargin),
    crossWalletBalance: formatAmount(wallet.walletBalance),
    crossUnPnl: formatAmount(wallet.unrealizedProfit),
    availableBalance: formatAmount(wallet.available),
    maxWithdrawAmount: formatAmount(wallet.withdrawable),
  };
}

function accountTotals(wallet: Omit<PerpAccountView, 'accountId'>) {
  const totals = assetTotals(wallet);
  return {
    totalInitialMargin: totals.initialMargin,
    totalMaintMargin: totals.maintMargin,
    totalWalletBalance: totals.walletBalance,
    totalUnrealizedProfit: totals.unrealizedProfit,
    totalMarginBalance: totals.marginBalance,
    totalPositionInitialMargin: totals.positionInitialMargin,
    totalOpenOrderInitialMargin: totals.openOrderInitialMargin,
    totalCrossWalletBalance: totals.crossWalletBalance,
    totalCrossUnPnl: totals.crossUnPnl,
    availableBalance: totals.availableBalance,
    maxWithdrawAmount: totals.maxWithdrawAmount,
  };
}

function positionRisk(ports: FuturesPorts, version: Version): Endpoint {
  return accountEndpoint(accountReads, {
    method: 'GET',
    path: `/fapi/${version}/positionRisk`,
    summary: 'Positions',
    weight: 5,
    fields: { symbol: 'Absent: all markets' },
    answers: 'One entry per market',
    handle: (fields, { address }) => {
      const asked = optionalMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (asked === undefined) return badSymbol;
      return readAccount(ports, address, ({ futures }, accountId) => {
        const positions = positionsOf(futures, accountId, version !== 'v3');
        const describe = version === 'v3' ? riskV3 : risk;
        return done(
          positions
            .filter(({ market }) => asked === null || market.marketId === asked.marketId)
            .map(({ market, position }) => describe(market, position)),
        );
      });
    },
  });
}

interface MarketPosition {
  readonly market: FuturesMarket;
  readonly position: FuturesPositionView;
}

/** The account's positions: of every market, or of those in which it has a position or orders. */
function positionsOf(
  futures: FuturesView,
  accountId: AccountId | null,
  isEveryMarket: boolean,
): readonly MarketPosition[] {
  if (!isEveryMarket && accountId === null) return [];
  // Account 0 does not exist: its positions are empty, which is what an unknown caller sees.
  const owner = accountId ?? (0 as AccountId);
  if (isEveryMarket) {
    return futures
      .listFuturesMarkets()
      .map((market) => ({ market, position: futures.getPosition(owner, market.marketId) }));
  }
  return futures
    .listPositions(owner)
    .map((position) => ({ market: futures.getFuturesMarket(position.marketId), position }));
}

function positionInAccount(market: FuturesMarket, position: FuturesPositionView) {
  const entryPrice = entryPriceOf(market, position);
  return {
    symbol: market.symbol,
    initialMargin: formatAmount(toAmount(position.initialMargin + position.orderMargin)),
    maintMargin: formatAmount(position.maintenanceMargin),
    unrealizedProfit: formatAmount(position.unrealizedProfit),
    positionInitialMargin: formatAmount(position.initialMargin),
    openOrderInitialMargin: formatAmount(position.orderMargin),
    leverage: String(position.leverage),
    isolated: false,
    entryPrice,
    breakEvenPrice: breakEvenPriceOf(market, position),
    maxNotional: formatAmount(maxNotionalAt(market.brackets, position.leverage)),
    bidNotional: formatAmount(position.bidNotional),
    askNotional: formatAmount(position.askNotional),
    positionSide: 'BOTH',
    positionAmt: signedQuantity(market, position),
    updateTime: position.updatedAt,
  };
}

function positionInAccountV3(market: FuturesMarket, position: FuturesPositionView) {
  return {
    symbol: market.symbol,
    positionSide: 'BOTH',
    positionAmt: signedQuantity(market, position),
    unrealizedProfit: formatAmount(position.unrealizedProfit),
    isolatedMargin: '0',
    notional: formatAmount(signedNotional(position)),
    isolatedWallet: '0',
    initialMargin: formatAmount(toAmount(position.initialMargin + position.orderMargin)),
    maintMargin: formatAmount(position.maintenanceMargin),
    updateTime: position.updatedAt,
  };
}

function risk(market: FuturesMarket, position: FuturesPositionView) {
  const entryPrice = entryPriceOf(market, position);
  return {
    symbol: market.symbol,
    positionAmt: signedQuantity(market, position),
    entryPrice,
    breakEvenPrice: breakEvenPriceOf(market, position),
    markPrice: amountOrZero(position.markPrice),
    unRealizedProfit: formatAmount(position.unrealizedProfit),
    liquidationPrice: amountOrZero(position.liquidationPrice),
    leverage: String(position.leverage),
    maxNotionalValue: formatAmount(maxNotionalAt(market.brackets, position.leverage)),
    marginType: 'cross',
    isolatedMargin: '0',
    isAutoAddMargin: 'false',
    positionSide: 'BOTH',
    notional: formatAmount(signedNotional(position)),
    isolatedWallet: '0',
    updateTime: position.updatedAt,
  };
}

function riskV3(market: FuturesMarket, position: FuturesPositionView) {
  const entryPrice = entryPriceOf(market, position);
  return {
    symbol: market.symbol,
    positionSide: 'BOTH',
    positionAmt: signedQuantity(market, position),
    entryPrice,
    breakEvenPrice: breakEvenPriceOf(market, position),
    markPrice: amountOrZero(position.markPrice),
    unRealizedProfit: formatAmount(position.unrealizedProfit),
    liquidationPrice: amountOrZero(position.liquidationPrice),
    isolatedMargin: '0',
    notional: formatAmount(signedNotional(position)),
    marginAsset: 'USDT',
    isolatedWallet: '0',
    initialMargin: formatAmount(toAmount(position.initialMargin + position.orderMargin)),
    maintMargin: formatAmount(position.maintenanceMargin),
    positionInitialMargin: formatAmount(position.initialMargin),
    openOrderInitialMargin: formatAmount(position.orderMargin),
    adl: position.deleverageRank,
    bidNotional: formatAmount(position.bidNotional),
    askNotional: formatAmount(position.askNotional),
    updateTime: position.updatedAt,
  };
}

function walletOf(futures: FuturesView, accountId: AccountId | null) {
  return accountId === null ? blankWallet : futures.getPerpAccount(accountId);
}

function entryPriceOf(
  market: FuturesMarket,
  { quantity, entryNotional }: FuturesPositionView,
): string {
  if (quantity === 0) return '0';
  const size = (BigInt(Math.abs(quantity)) * market.lotSize) as Decimal;
  return formatAverage(entryNotional, size, market.tickSize);
}

function breakEvenPriceOf(market: FuturesMarket, position: FuturesPositionView): string {
  const { quantity } = position;
  if (quantity === 0) return '0';
  const size = (BigInt(Math.abs(quantity)) * market.lotSize) as Decimal;
  return formatAverage(breakEvenNotional(position), size, market.tickSize);
}

function signedQuantity(market: FuturesMarket, { quantity }: FuturesPositionView): string {
  return formatDecimal((BigInt(quantity) * market.lotSize) as Decimal);
}

function signedNotional({ quantity, notional }: FuturesPositionView): Amount {
  return quantity < 0 ? toAmount(0n - notional) : notional;
}

function amountOrZero(amount: Amount | null): string {
  return amount === null ? '0' : formatAmount(amount);
}
