import type { AppliedCommand } from '../../application/ports.ts';
import { formatAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import { decimalFromLots, decimalFromTicks } from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';
import { plainArray } from '../array-literal.ts';
import type { Directory } from '../projector/directory.ts';
import type { Projection } from '../projector/projection.ts';
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
  FROM unnest($1::bigint[], $2::integer[], $3::numeric[], $4::numeric[], $5::numeric[],
     $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
     $12::bigint[], $13::numeric[], $14::numeric[], $15::bigint[], $16::bigint[])
    AS batch (trade_number, market_id, price, quantity, quote_quantity, taker_side,
     maker_order_number, taker_order_number, maker_order_created_at, taker_order_created_at,
     maker_account_id, taker_account_id, maker_fee, taker_fee, created_at, sequence)`;

export const spotTradesProjection: Projection = {
  name: 'spot_trades',
  async project(batch, { client, directory }) {
    const trades = tradesOf(batch);
    if (trades.length === 0) return 0;
    const values = tradeColumns(trades, directory);
    await client.query({ name: 'insert-trades', text: insertTrades, values });
    return trades.length;
  },
};

interface PlacedTrade {
  readonly trade: SpotTrade;
  readonly applied: AppliedCommand;
}

function tradesOf(batch: readonly AppliedCommand[]): readonly PlacedTrade[] {
  const trades: PlacedTrade[] = [];
  for (const applied of batch) {
    for (const event of applied.events) {
      if (event.type === 'spotTradeExecuted') trades.push({ trade: event.trade, applied });
    }
  }
  return trades;
}

function tradeColumns(placed: readonly PlacedTrade[], directory: Directory): string[] {
  const trades = placed.map(({ trade }) => trade);
  const marketOf = (trade: SpotTrade) => directory.getMarket(trade.marketId);
  return [
    plainArray(trades.map((trade) => trade.tradeNumber)),
    plainArray(trades.map((trade) => trade.marketId)),
    plainArray(
      trades.map((trade) => formatDecimal(decimalFromTicks(marketOf(trade), trade.price))),
    ),
    plainArray(
      trades.map((trade) => formatDecimal(decimalFromLots(marketOf(trade), trade.quantity))),
    ),
    plainArray(trades.map((trade) => formatAmount(trade.quoteAmount))),
    plainArray(trades.map((trade) => trade.takerSide)),
    plainArray(trades.map((trade) => trade.makerOrderNumber)),
    plainArray(trades.map((trade) => trade.takerOrderNumber)),
    plainArray(trades.map((trade) => trade.makerOrderCreatedAt)),
    plainArray(trades.map((trade) => trade.takerOrderCreatedAt)),
    plainArray(trades.map((trade) => trade.makerAccountId)),
    plainArray(trades.map((trade) => trade.takerAccountId)),
    plainArray(trades.map((trade) => formatAmount(trade.makerFee))),
    plainArray(trades.map((trade) => formatAmount(trade.takerFee))),
    plainArray(placed.map(({ applied }) => applied.timestamp)),
    plainArray(placed.map(({ applied }) => applied.sequence)),
  ];
}
