import { toAmount } from '../../src/domain/amount.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import {
  defaultGuards,
  type FuturesMarketId,
  type FuturesMarketTerms,
  type Rate,
} from '../../src/domain/futures-market.ts';
import type { AccountId, Address, MarketId, OrderNumber } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Command } from '../../src/engine/commands.ts';
import { Random } from './random.ts';

// Order flow on many perpetuals at once: every account trades every symbol, so each order is judged
// by the margin of a whole portfolio. Half of the commands rest an order, two fifths cancel one of
// the account's own, a tenth takes. The same flow can be made for spot markets.

const usdt = 100_000_000n;
const accountFunds = toAmount(2_000_000n * usdt);
const middle = 100_000;
const restingSpan = 400;
const takingSpan = 30;
const lotsMax = 20;
const cancelShare = 0.4;
const takeShare = 0.1;
const clientIdEvery = 3;

export interface FuturesFlow {
  readonly accounts: number;
  readonly markets: number;
  readonly commands: number;
  readonly seed: number;
}

/** One step of the flow: an order, or the cancellation of the order of an earlier step. */
export interface FlowStep {
  readonly account: number;
  readonly market: number;
  readonly isBuy: boolean;
  readonly price: number;
  readonly quantity: number;
  readonly isTaking: boolean;
  /** Which of the orders so far is canceled, from 1 on; 0 for an order. */
  readonly canceled: number;
}

function addressOf(account: number): Address {
  return `0x${account.toString(16).padStart(40, '0')}` as Address;
}

export function perpetualTerms(market: number): FuturesMarketTerms {
  return {
    symbol: `COIN${market}USDT`,
    baseAsset: `COIN${market}`,
    tickSize: 10_000_000_000_000_000n as Decimal,
    lotSize: 1_000_000_000_000_000n as Decimal,
    minNotional: toAmount(100_000n),
    maxNotional: toAmount(50_000_000n * usdt),
    maxLeverage: 50,
    maintenanceMarginRate: 5_000_000n as Rate,
    makerFeeBps: 2,
    takerFeeBps: 5,
    indexPriceSource: 'admin',
    ...defaultGuards(toAmount(50_000_000n * usdt)),
  };
}

/** The price at the middle of all that the flow draws, for one whole base asset. */
export const middlePrice = toAmount(BigInt(middle) * 1_000_000n);

/** Markets with index prices, and accounts with money in their perp wallets. */
export function perpetualFunding({ accounts, markets }: FuturesFlow): Command[] {
  const commands: Command[] = [];
  for (let market = 0; market < markets; market += 1) {
    const terms = perpetualTerms(market);
    commands.push({ type: 'createFuturesMarket', terms });
    commands.push({ type: 'setIndexPrice', symbol: terms.symbol, price: middlePrice });
  }
  for (let account = 1; account <= accounts; account += 1) {
    commands.push(credit(account, 'USDT'));
    commands.push({
      type: 'transferFunds',
      accountId: account as AccountId,
      direction: 'spot_to_perp',
      amount: accountFunds,
      clientTransferId: null,
    });
  }
  return commands;
}

/** The same for spot markets, with money in every token. */
export function spotFunding({ accounts, markets }: FuturesFlow): Command[] {
  const commands: Command[] = [];
  for (let market = 0; market < markets; market += 1) {
    const { symbol, baseAsset, tickSize, lotSize, minNotional } = perpetualTerms(market);
    const terms = { symbol, baseToken: baseAsset, quoteToken: 'USDT', tickSize, lotSize };
    const fees = { minNotional, makerFeeBps: 2, takerFeeBps: 5 };
    commands.push({ type: 'createSpotMarket', terms: { ...terms, ...fees } });
  }
  for (let account = 1; account <= accounts; account += 1) {
    commands.push(credit(account, 'USDT'));
    for (let market = 0; market < markets; market += 1) {
      commands.push(credit(account, `COIN${market}`));
    }
  }
  return commands;
}

function credit(account: number, token: string): Command {
  const audit = { actor: 'bench', reason: null, reference: null };
  return {
    type: 'creditBalance',
    address: addressOf(account),
    token,
    amount: accountFunds,
    ...audit,
  };
}

/** The steps of the flow; cancels name orders whose fate is not known, as on a real exchange. */
export function flowSteps({ accounts, markets, commands, seed }: FuturesFlow): FlowStep[] {
  const random = new Random(seed);
  const steps: FlowStep[] = [];
  const open: { number: number; account: number; market: number }[] = [];
  let orders = 0;
  for (let at = 0; at < commands; at += 1) {
    const draw = random.nextFraction();
    const account = 1 + random.nextBelow(accounts);
    const market = random.nextBelow(markets);
    const isBuy = random.nextBit() === 1;
    if (draw < cancelShare && open.length > 0) {
      const index = random.nextBelow(open.length);
      const chosen = open[index] ?? { number: 1, account, market };
      open[index] = open[open.length - 1] ?? chosen;
      open.pop();
      steps.push({
        ...chosen,
        isBuy,
        price: 0,
        quantity: 0,
        isTaking: false,
        canceled: chosen.number,
      });
      continue;
    }
    orders += 1;
    const isTaking = draw > 1 - takeShare;
    const distance = 1 + random.nextBelow(isTaking ? takingSpan : restingSpan);
    // Resting orders stand on their own side of the middle, taking ones reach over it.
    const isUnder = isTaking ? !isBuy : isBuy;
    const price = middle + (isUnder ? -distance : distance);
    const quantity = 1 + random.nextBelow(lotsMax);
    if (!isTaking) open.push({ number: orders, account, market });
    steps.push({ account, market, isBuy, price, quantity, isTaking, canceled: 0 });
  }
  return steps;
}

/** A step as a command to the futures side; `orderNumber` is the engine's for a cancel. */
export function futuresCommand(step: FlowStep, at: number, orderNumber: number): Command {
  const accountId = step.account as AccountId;
  if (step.canceled > 0) {
    return { type: 'cancelFuturesOrder', accountId, orderNumber: orderNumber as OrderNumber };
  }
  return {
    type: 'placeFuturesOrder',
    accountId,
    marketId: step.market as FuturesMarketId,
    clientOrderId: at % clientIdEvery === 0 ? `client-order-${at}` : null,
    side: step.isBuy ? 'buy' : 'sell',
    orderType: 'limit',
    timeInForce: step.isTaking ? 'ioc' : 'gtc',
    price: step.price as Ticks,
    quantity: step.quantity as Lots,
    worstPrice: null,
    stopPrice: null,
    triggerPriceKind: 'contract',
    activationPrice: null,
    callback: null,
    isReduceOnly: false,
    isClosePosition: false,
    isPriceProtected: false,
    priceMatch: 'none',
    selfTradeMode: 'expire_maker',
    goodTill: null,
    isAlgo: false,
    takeProfit: null,
    stopLoss: null,
  };
}

/** The same as a command to the spot side. */
export function spotCommand(step: FlowStep, at: number, orderNumber: number): Command {
  const accountId = step.account as AccountId;
  if (step.canceled > 0) {
    return { type: 'cancelSpotOrder', accountId, orderNumber: orderNumber as OrderNumber };
  }
  return {
    type: 'placeSpotOrder',
    accountId,
    marketId: step.market as MarketId,
    clientOrderId: at % clientIdEvery === 0 ? `client-order-${at}` : null,
    side: step.isBuy ? 'buy' : 'sell',
    orderType: 'limit',
    timeInForce: step.isTaking ? 'ioc' : 'gtc',
    price: step.price as Ticks,
    quantity: step.quantity as Lots,
    quoteQuantity: null,
  };
}
