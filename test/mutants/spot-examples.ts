import { toAmount } from '../../src/domain/amount.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import type { AccountId, MarketId } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import { type Command, canceledMax } from '../../src/engine/commands.ts';
import { limitOrder } from '../support/limit-order.ts';
import { SpotFlow } from '../support/spot-flow.ts';
import { type Example, same } from './example.ts';

const symbol = 'MANYUSDT';
const accountId = 1 as AccountId;

/** 600 bids of one account in a separate market. */
function manyBids(): { readonly flow: SpotFlow; readonly marketId: MarketId } {
  const flow = new SpotFlow({ seed: 3, accounts: 1 });
  flow.open();
  const [tickSize, lotSize] = [parseDecimal('0.01'), parseDecimal('0.001')];
  if (tickSize === null || lotSize === null) throw new Error('the sizes are decimals');
  const [baseToken, quoteToken, minNotional] = ['MANY', 'USDT', toAmount(0n)];
  const fees = { makerFeeBps: 10, takerFeeBps: 20 };
  const terms = { symbol, baseToken, quoteToken, tickSize, lotSize, minNotional, ...fees };
  flow.apply({ type: 'createSpotMarket', terms });
  const marketId = flow.engine.findSpotMarket(symbol)?.marketId;
  if (marketId === undefined) throw new Error('the market was refused');
  for (let at = 0; at < 600; at += 1) {
    flow.apply(
      limitOrder({ accountId, marketId, price: (1 + (at % 50)) as Ticks, quantity: 1 as Lots }),
    );
  }
  return { flow, marketId };
}

/** How many orders each of the commands ends. */
function ended(flow: SpotFlow, commands: readonly Command[]): string {
  const counts = commands.map(
    (command) =>
      flow.apply(command).events.filter(({ type }) => type === 'spotOrderUpdated').length,
  );
  return counts.join();
}

const pieces = [canceledMax, canceledMax, 600 - 2 * canceledMax].join();

function cancelInPieces(): void {
  const { flow, marketId } = manyBids();
  const all: Command = { type: 'cancelAllSpotOrders', accountId, marketId };
  same('orders ended', ended(flow, [all, all, all]), pieces);
}

function delistInPieces(): void {
  const { flow } = manyBids();
  const delist: Command = { type: 'setSpotMarketStatus', symbol, status: 'delisted' };
  same('orders ended', ended(flow, [delist, delist, { type: 'advanceTime' }]), pieces);
}

export const spotExamples: readonly Example[] = [
  { name: 'a cancel-all ends 256 orders a command', run: cancelInPieces },
  {
    name: 'a spot delisting ends 256 orders a command, and goes on with time',
    run: delistInPieces,
  },
];
