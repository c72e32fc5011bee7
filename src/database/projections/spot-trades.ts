import { formatAmount } from '../../domain/amount.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';
import type { SpotTradeExecuted } from '../../engine/events.ts';
import { type ArrayParameter, integerArray, plainArray } from '../array-parameters.ts';
import type { Directory } from '../projector/directory.ts';
import type { PlacedEvent } from '../projector/outcome-batch.ts';
import type { Projection } from '../projector/projection.ts';
import { formatPrice, formatQuantity } from './market-decimals.ts';
import { timestampFrom } from './timestamps.ts';

const insertTrades = `
  INSERT INTO spot_trades
    (trade_number, market_id, price, quantity, quote_quantity, taker_side, maker_order_number,
     taker_order_number, maker_order_created_at, taker_order_created_at, maker_account_id,
     taker_account_id, maker_fee, taker_fee, created_at, sequence)
  SELECT trade_number, market_id, price, quantity, quote_quantity, taker_side,
     maker_order_number, taker_order_number, ${timestampFrom('maker_order_created_at')},
     ${timestampFrom('taker_order_created_at')}, maker_account_id, taker_account_id, maker_fee,
     taker_fee, ${timestampFrom('created_at')}, sequence
  FROM unnest($1::bigint[], $2::bigint[], $3::numeric[], $4::numeric[], $5::numeric[],
     $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
     $12::bigint[], $13::numeric[], $14::numeric[], $15::bigint[], $16::bigint[])
    AS batch (trade_number, market_id, price, quantity, quote_quantity, taker_side,
     maker_order_number, taker_order_number, maker_order_created_at, taker_order_created_at,
     maker_account_id, taker_account_id, maker_fee, taker_fee, created_at, sequence)`;

export const spotTradesProjection: Projection = {
  name: 'spot_trades',
  async project(batch, { statements, directory }) {
    const trades = batch.eventsOf('spotTradeExecuted');
    if (trades.length === 0) return 0;
    const values = tradeColumns(trades, directory);
    await statements.run({ name: 'insert-trades', text: insertTrades, values });
    return trades.length;
  },
};

function tradeColumns(
  placed: readonly PlacedEvent<SpotTradeExecuted>[],
  directory: Directory,
): ArrayParameter[] {
  const trades = placed.map(({ event }) => event.trade);
  const marketOf = (trade: SpotTrade) => directory.getMarket(trade.marketId);
  return [
    integerArray(trades.map((trade) => trade.tradeNumber)),
    integerArray(trades.map((trade) => trade.marketId)),
    plainArray(trades.map((trade) => formatPrice(marketOf(trade), trade.price))),
    plainArray(trades.map((trade) => formatQuantity(marketOf(trade), trade.quantity))),
    plainArray(trades.map((trade) => formatAmount(trade.quoteAmount))),
    plainArray(trades.map((trade) => trade.takerSide)),
    integerArray(trades.map((trade) => trade.makerOrderNumber)),
    integerArray(trades.map((trade) => trade.takerOrderNumber)),
    integerArray(trades.map((trade) => trade.makerOrderCreatedAt)),
    integerArray(trades.map((trade) => trade.takerOrderCreatedAt)),
    integerArray(trades.map((trade) => trade.makerAccountId)),
    integerArray(trades.map((trade) => trade.takerAccountId)),
    plainArray(trades.map((trade) => formatAmount(trade.makerFee))),
    plainArray(trades.map((trade) => formatAmount(trade.takerFee))),
    integerArray(placed.map(({ outcome }) => outcome.timestamp)),
    integerArray(placed.map(({ outcome }) => outcome.sequence)),
  ];
}
