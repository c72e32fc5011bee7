import { describe, it } from 'vitest';
import { expectRules } from '../../../test/support/rule-table.ts';

describe('spot rules', () => {
  it('limit buy: locks price times quantity in quote, a cancel frees it to the last unit', () => {
    expectRules(`
      market BTC/USDT tick 0.01 lot 0.001 min 0 fees 10/20 -> ok
      credit alice 1000 USDT -> ok
      alice buys 1.234 BTC at 100.01 -> new
      alice has -> 876.58766 + 123.41234 USDT
      alice cancels #1 -> canceled #1
      alice has -> 1000 USDT
      alice cancels #1 -> refused order_not_found
      book BTC -> none | none
    `);
  });

  it('limit sell: locks the quantity in base', () => {
    expectRules(`
      market BTC/USDT tick 0.01 lot 0.001 min 0 fees 10/20 -> ok
      credit bob 2 BTC -> ok
      bob sells 0.75 BTC at 100 -> new
      bob has -> 1.25 + 0.75 BTC
      book BTC -> none | 0.75 at 100
    `);
  });

  it('trade: each side pays at the maker price and receives less its own fee', () => {
    expectRules(`
      market BTC/USDT tick 0.01 lot 0.001 min 0 fees 10/20 -> ok
      credit alice 1000 USDT -> ok
      credit bob 2 BTC -> ok
      alice buys 2 BTC at 100 -> new
      bob sells 0.5 BTC at 100 -> filled 0.5 for 50
      # maker: 0.5 BTC less 10 bps; taker: 50 USDT less 20 bps
      alice has -> 0.4995 BTC, 800 + 150 USDT
      bob has -> 1.5 BTC, 49.9 USDT
      fees -> 0.0005 BTC, 0.1 USDT
      book BTC -> 1.5 at 100 | none
    `);
  });

  it('fee: rounded up to the next unit, never in favour of the user', () => {
    expectRules(`
      market DF/USDT tick 0.00000001 lot 1 min 0 fees 1/1 -> ok
      credit alice 1 USDT -> ok
      credit bob 1 DF -> ok
      bob sells 1 DF at 0.00000003 -> new
      alice buys 1 DF at 0.00000003 -> filled 1 for 0.00000003
      # 1 bps of 3 units is 0.0003 units: one whole unit is taken
      bob has -> 0 DF, 0.00000002 USDT
      alice has -> 0.9999 DF, 0.99999997 USDT
      fees -> 0.0001 DF, 0.00000001 USDT
    `);
  });

  it('fee: 0 bps is free, 10000 bps takes all that is received', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/10000 -> ok
      credit alice 100 USDT -> ok
      credit bob 1 BTC -> ok
      bob sells 1 BTC at 100 -> new
      alice buys 1 BTC at 100 -> filled 1 for 100
      alice has -> 0 USDT
      bob has -> 0 BTC, 100 USDT
      fees -> 1 BTC
    `);
  });

  it('price improvement: what a buy locked above the maker price is free at once', () => {
    expectRules(`
      market BTC/USDT tick 0.01 lot 0.001 min 0 fees 0/0 -> ok
      credit alice 1000 USDT -> ok
      credit bob 2 BTC -> ok
      bob sells 1 BTC at 100 -> new
      alice buys 3 BTC at 110 -> partially_filled 1 for 100
      # 100 paid; 2 BTC at 110 stay locked
      alice has -> 1 BTC, 680 + 220 USDT
      book BTC -> 2 at 110 | none
    `);
  });

  it('priority: better prices first, then the older order', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 10 BTC -> ok
      credit bob 10 BTC -> ok
      credit carol 1000 USDT -> ok
      alice sells 1 BTC at 101 -> new
      alice sells 1 BTC at 100 -> new
      bob sells 1 BTC at 100 -> new
      carol buys 2 BTC at 101 -> filled 2 for 200
      book BTC -> none | 1 at 101
      bob has -> 9 BTC, 100 USDT
    `);
  });

  it('ioc: what does not trade at once ends expired and locks nothing', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 1 BTC -> ok
      credit carol 1000 USDT -> ok
      carol buys 1 BTC at 100 ioc -> expired 0 for 0
      alice sells 1 BTC at 100 -> new
      carol buys 3 BTC at 100 ioc -> expired 1 for 100
      carol has -> 1 BTC, 900 USDT
      book BTC -> none | none
    `);
  });

  it('fok: fills whole or ends expired without a fill', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 3 BTC -> ok
      credit carol 1000 USDT -> ok
      alice sells 1 BTC at 100 -> new
      alice sells 2 BTC at 102 -> new
      carol buys 2 BTC at 101 fok -> expired 0 for 0
      carol buys 4 BTC at 102 fok -> expired 0 for 0
      carol has -> 1000 USDT
      carol buys 2 BTC at 102 fok -> filled 2 for 202
      book BTC -> none | 1 at 102
    `);
  });

  it('post_only: rests, or is refused if it would cross', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 3 BTC -> ok
      credit carol 1000 USDT -> ok
      alice sells 1 BTC at 100 post_only -> new
      carol buys 1 BTC at 100 post_only -> refused post_only_would_cross
      carol buys 1 BTC at 99 post_only -> new
      book BTC -> 1 at 99 | 1 at 100
    `);
  });

  it('market buy: spends its amount in whole lots, level by level, and releases the rest', () => {
    expectRules(`
      market BTC/USDT tick 0.01 lot 0.01 min 0 fees 10/20 -> ok
      credit alice 2 BTC -> ok
      credit carol 1000 USDT -> ok
      alice sells 0.5 BTC at 100 -> new
      alice sells 1 BTC at 110 -> new
      carol buys BTC for 60 -> filled 0.59 for 59.9
      carol has -> 0.58882 BTC, 940.1 USDT
      book BTC -> none | 0.91 at 110
    `);
  });

  it('market buy: expires if the book runs empty, or if the amount buys no lot', () => {
    expectRules(`
      market BTC/USDT tick 0.01 lot 0.01 min 0 fees 0/0 -> ok
      credit alice 2 BTC -> ok
      credit carol 1000 USDT -> ok
      carol buys BTC for 60 -> expired 0 for 0
      alice sells 0.5 BTC at 100 -> new
      carol buys BTC for 0.99 -> expired 0 for 0
      carol buys BTC for 60 -> expired 0.5 for 50
      alice sells 0.5 BTC at 100 -> new
      # exactly the whole book: all money is spent
      carol buys BTC for 50 -> filled 0.5 for 50
      carol has -> 1 BTC, 900 USDT
    `);
  });

  it('market sell: takes the bids from the best down, and expires if there are no more', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 5 BTC -> ok
      credit carol 1000 USDT -> ok
      alice sells 1 BTC -> expired 0 for 0
      carol buys 1 BTC at 99 -> new
      carol buys 1 BTC at 100 -> new
      alice sells 3 BTC -> expired 2 for 199
      alice has -> 3 BTC, 199 USDT
    `);
  });

  it('min notional: limit by its price, market buy by its money, market sell by the best bid', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 200 fees 0/0 -> ok
      credit alice 9 BTC -> ok
      credit carol 1000 USDT -> ok
      alice sells 1 BTC -> expired 0 for 0
      carol buys 1 BTC at 199 -> refused below_min_notional
      carol buys 2 BTC at 100 -> new
      alice sells 1 BTC -> refused below_min_notional
      alice sells 2 BTC -> filled 2 for 200
      carol buys BTC for 199.99 -> refused below_min_notional
      carol buys BTC for 200 -> expired 0 for 0
    `);
  });

  it('self-trade: the whole order is refused if it would reach a resting order of its account', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 9 BTC -> ok
      credit alice 1000 USDT -> ok
      credit bob 9 BTC -> ok
      bob sells 1 BTC at 100 -> new
      alice sells 1 BTC at 101 -> new
      # two lots would reach her own order behind Bob's
      alice buys 2 BTC at 101 -> refused self_trade
      alice buys BTC for 150 -> filled 1 for 100
      alice buys 1 BTC at 101 fok -> refused self_trade
      alice buys 1 BTC at 100 -> new
      book BTC -> 1 at 100 | 1 at 101
    `);
  });

  it('self-trade: an order of the same account that matching does not reach is no obstacle', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 9 BTC -> ok
      credit alice 1000 USDT -> ok
      credit bob 9 BTC -> ok
      bob sells 1 BTC at 100 -> new
      alice sells 1 BTC at 100 -> new
      alice buys 1 BTC at 100 -> filled 1 for 100
      book BTC -> none | 1 at 100
    `);
  });
});

describe('order checks', () => {
  it('order checks: each is reported before the later ones', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 100 fees 0/0 -> ok
      credit alice 200 USDT -> ok
      credit alice 5 BTC -> ok
      credit bob 10 BTC -> ok
      alice sells 1 BTC at 100 -> new
      alice buys 1 BTC at 100 id mine fok -> refused self_trade
      alice buys 1 BTC at 99 id mine -> refused below_min_notional
      alice buys 1 BTC at 100 id mine post_only -> refused post_only_would_cross
      alice cancels #1 -> canceled #1
      alice buys 1 BTC at 100 id mine -> new
      bob sells 1 BTC at 200 -> new
      # every later check would fail as well
      alice buys 9 BTC at 1 id mine -> refused below_min_notional
      alice buys 9 BTC at 200 id mine post_only -> refused duplicate_client_order_id
      alice buys 9 BTC at 200 post_only -> refused insufficient_balance
      status BTC halted -> ok
      alice buys 9 BTC at 1 id mine -> refused market_halted
      status BTC delisted -> ok, canceled #2 #3
      alice buys 9 BTC at 1 id mine -> refused market_delisted
      nobody buys 9 BTC at 1 -> refused account_not_found
    `);
  });

  it('client order id: unique among the live orders of one account only', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      market ETH/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 1000 USDT -> ok
      credit bob 1000 USDT -> ok
      alice buys 1 BTC at 100 id a -> new
      alice buys 1 ETH at 10 id a -> refused duplicate_client_order_id
      alice buys 1 BTC at 100 id A -> new
      bob buys 1 BTC at 100 id a -> new
      alice cancels #1 -> canceled #1
      alice buys 1 ETH at 10 id a -> new
    `);
  });

  it('insufficient balance: one unit short is refused, and locked money is not available', () => {
    expectRules(`
      market BTC/USDT tick 0.01 lot 0.001 min 0 fees 0/0 -> ok
      credit alice 100 USDT -> ok
      alice buys 1 BTC at 100.01 -> refused insufficient_balance
      alice buys 0.5 BTC at 100 -> new
      alice buys 0.501 BTC at 100 -> refused insufficient_balance
      alice buys BTC for 50.00000001 -> refused insufficient_balance
      alice buys 0.5 BTC at 100 -> new
      alice has -> 0 + 100 USDT
      alice sells 0.001 BTC at 100 -> refused insufficient_balance
      alice sells 0.001 BTC -> refused insufficient_balance
    `);
  });

  it('range: amounts beyond the range are refused, never wrapped around', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 92233720368.54775807 USDT -> ok
      credit alice 0.00000001 USDT -> refused amount_out_of_range
      credit bob 0.00000001 USDT -> refused amount_out_of_range
      credit bob 92233720368 BTC -> ok
      alice buys 92233720368 BTC at 9007199254740991 -> refused insufficient_balance
      bob sells 92233720368 BTC at 1 -> refused amount_out_of_range
      bob sells 92233720369 BTC at 1 -> refused insufficient_balance
      alice buys 1 BTC at 92233720368 -> new
      alice has -> 0.54775807 + 92233720368 USDT
    `);
  });

  it('range: one side of a book holds at most 2^53 - 1 lots', () => {
    expectRules(`
      market DF/USDT tick 0.1 lot 0.00000010 min 0 fees 0/0 -> ok
      credit bob 2000000000 DF -> ok
      credit alice 1 USDT -> ok
      bob sells 900719925.4740991 DF at 0.1 -> new
      bob sells 0.0000001 DF at 0.2 -> refused amount_out_of_range
      bob sells 0.0000001 DF ioc -> expired 0 for 0
      alice buys 0.0000001 DF at 0.1 -> filled 0.0000001 for 0.00000001
      bob sells 0.0000001 DF at 0.2 -> new
    `);
  });
});

describe('cancels, credits and markets', () => {
  it('cancel: refused for an order of another account, and for an unknown order', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 1000 USDT -> ok
      credit bob 1000 USDT -> ok
      alice buys 1 BTC at 100 -> new
      bob cancels #1 -> refused order_not_owned
      bob cancels #2 -> refused order_not_found
      alice has -> 900 + 100 USDT
    `);
  });

  it('cancel all: of one market or of all, oldest first, halted or not', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      market ETH/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 1000 USDT -> ok
      credit bob 1000 USDT -> ok
      alice buys 1 BTC at 100 -> new
      alice buys 1 ETH at 10 -> new
      alice buys 2 BTC at 100 -> new
      bob buys 1 BTC at 100 -> new
      status BTC halted -> ok
      alice cancels all BTC -> canceled #1 #3
      book BTC -> 1 at 100 | none
      alice has -> 990 + 10 USDT
      alice cancels all -> canceled #2
      alice cancels all -> nothing canceled
      alice has -> 1000 USDT
      nobody cancels all -> refused account_not_found
    `);
  });

  it('credit: opens account and token, must be positive, counts once per reference', () => {
    expectRules(`
      credit alice 0 USDT -> refused amount_not_positive
      credit alice 5 USDT ref first -> ok
      credit alice 5 USDT ref first -> ok, nothing changed
      credit bob 7 DF ref first -> ok, nothing changed
      credit alice 5 USDT -> ok
      credit alice 5 USDT ref second -> ok
      alice has -> 15 USDT
      bob has -> nothing
    `);
  });

  it('market: base and quote differ, fees are 0 to 10000 bps, units are whole, a name is unique', () => {
    expectRules(`
      market BTC/BTC tick 1 lot 1 min 0 fees 0/0 -> refused market_terms_invalid
      market BTC/USDT tick 1 lot 1 min 0 fees 0/10001 -> refused market_terms_invalid
      market BTC/USDT tick 1 lot 1 min 0 fees -1/0 -> refused market_terms_invalid
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0.5 -> refused market_terms_invalid
      market BTC/USDT tick 0 lot 1 min 0 fees 0/0 -> refused market_units_too_fine
      market BTC/USDT tick 0.00000001 lot 0.1 min 0 fees 0/0 -> refused market_units_too_fine
      market BTC/USDT tick 1 lot 0.000000001 min 0 fees 0/0 -> refused market_units_too_fine
      market BTC/USDT tick 1000000000000 lot 1 min 0 fees 0/0 -> refused market_terms_invalid
      market BTC/USDT tick 0.00000001 lot 1 min 0 fees 0/0 -> ok
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> refused market_exists
      market BTC/EUR tick 0.000000001 lot 10 min 0 fees 0/10000 -> ok
    `);
  });

  it('status: listed and halted change into each other, delisted is final and empties the book', () => {
    expectRules(`
      market BTC/USDT tick 1 lot 1 min 0 fees 0/0 -> ok
      credit alice 1000 USDT -> ok
      credit bob 5 BTC -> ok
      status BTC halted -> ok
      status BTC halted -> ok
      alice buys 1 BTC at 100 -> refused market_halted
      status BTC listed -> ok
      alice buys 1 BTC at 100 -> new
      bob sells 1 BTC at 102 -> new
      alice buys 1 BTC at 101 -> new
      status BTC closed -> refused market_status_unknown
      # bids first, best first
      status BTC delisted -> ok, canceled #3 #1 #2
      alice has -> 1000 USDT
      bob has -> 5 BTC
      status BTC delisted -> ok
      status BTC listed -> refused market_status_final
      alice cancels #1 -> refused order_not_found
    `);
  });
});
