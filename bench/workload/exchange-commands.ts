import { toAmount } from '../../src/domain/amount.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { AccountId, Address, MarketId, OrderNumber } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Command } from '../../src/engine/commands.ts';
import { addCommand, cancelCommand, type Workload } from './generate-workload.ts';

// A workload of bare orders as commands to a whole exchange: many accounts, client order ids on a
// share of the orders, fees, locks. Makers and takers are different accounts, so every order is
// accepted, the engine gives it the workload's number, and the workload's trade hash must come out.

const makerAccounts = 1_000;
const takerAccounts = 500;
/** One order in this many carries a client order id. */
const clientIdEvery = 3;
const funds = toAmount(1n << 52n);

/** Creates the market and gives every account money in both of its tokens. */
export function fundingCommands(): Command[] {
  const commands: Command[] = [
    {
      type: 'createSpotMarket',
      terms: {
        symbol: 'BTCUSDT',
        baseToken: 'BTC',
        quoteToken: 'USDT',
        tickSize: 10_000_000_000_000_000n as Decimal,
        lotSize: 1_000_000_000_000_000n as Decimal,
        minNotional: toAmount(100n),
        makerFeeBps: 2,
        takerFeeBps: 5,
      },
    },
  ];
  for (let account = 1; account <= makerAccounts + takerAccounts; account += 1) {
    for (const token of ['BTC', 'USDT']) {
      commands.push({
        type: 'creditBalance',
        address: `0x${account.toString(16).padStart(40, '0')}` as Address,
        token,
        amount: funds,
        actor: 'bench',
        reason: null,
        reference: null,
      });
    }
  }
  return commands;
}

/** The workload's commands from one position up to another. */
export function tradingCommands(
  workload: Workload,
  from = 0,
  to = workload.types.length,
): Command[] {
  const commands: Command[] = [];
  for (let index = from; index < to; index += 1) commands.push(tradingCommand(workload, index));
  return commands;
}

function tradingCommand(workload: Workload, index: number): Command {
  const { types, sides, prices, quantities, orderNumbers } = workload;
  const type = types[index];
  const orderNumber = orderNumbers[index] ?? 0;
  if (type === cancelCommand) {
    const accountId = makerOf(orderNumber);
    return { type: 'cancelSpotOrder', accountId, orderNumber: orderNumber as OrderNumber };
  }
  const isMaker = type === addCommand;
  return {
    type: 'placeSpotOrder',
    accountId: isMaker ? makerOf(orderNumber) : takerOf(orderNumber),
    marketId: 0 as MarketId,
    side: sides[index] === 0 ? 'buy' : 'sell',
    clientOrderId: orderNumber % clientIdEvery === 0 ? `client-order-${orderNumber}` : null,
    orderType: 'limit',
    timeInForce: isMaker ? 'gtc' : 'ioc',
    price: (prices[index] ?? 0) as Ticks,
    quantity: (quantities[index] ?? 0) as Lots,
    quoteQuantity: null,
  };
}

function makerOf(orderNumber: number): AccountId {
  return (1 + ((Math.imul(orderNumber, 0x9e3779b1) >>> 0) % makerAccounts)) as AccountId;
}

function takerOf(orderNumber: number): AccountId {
  const draw = (Math.imul(orderNumber, 0x9e3779b1) >>> 0) % takerAccounts;
  return (1 + makerAccounts + draw) as AccountId;
}
