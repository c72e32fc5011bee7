import { assert } from '../domain/assert.ts';
import type { MarketId, Sequence, TimestampMs, TokenId } from '../domain/identifiers.ts';
import { buySide } from './book/order-book.ts';
import { FuturesState } from './futures/futures-state.ts';
import { Accounts } from './ledger/accounts.ts';
import { Ledger } from './ledger/ledger.ts';
import { Tokens } from './ledger/tokens.ts';
import { ClientOrderIds } from './orders/client-order-ids.ts';
import { type ArrivingOrder, OpenOrders } from './orders/open-orders.ts';
import { Outcome } from './outcome.ts';
import { type Rules, rulesVersion } from './rules.ts';
import { BrokenRules } from './running-rules.ts';
import { SpotSettlement } from './spot/settle-spot-trade.ts';
import type { SpotMarketState } from './spot/spot-market-state.ts';
import { WalletState } from './wallet/wallet-state.ts';

/** Everything the engine remembers between commands, and the outcome of the running one. */
export class EngineState {
  /** By which the next command is applied. */
  rules: Rules;
  sequence = 0 as Sequence;
  /** The time of the running command, or of the last one. Milliseconds since 1970. */
  timestamp = 0 as TimestampMs;
  /** The order and trade numbers assigned last. */
  orderNumber = 0;
  tradeNumber = 0;
  readonly accounts = new Accounts();
  readonly tokens = new Tokens();
  readonly ledger = new Ledger();
  /** References of credits that have been applied. */
  readonly references = new Set<string>();
  readonly wallet = new WalletState();
  readonly orders = new OpenOrders();
  readonly clientOrderIds = new ClientOrderIds(this.orders);
  readonly spotMarkets: SpotMarketState[] = [];
  readonly spotMarketIds = new Map<string, MarketId>();
  readonly settlement = new SpotSettlement(this);
  readonly outcome = new Outcome();
  readonly broken = new BrokenRules();
  readonly futures = new FuturesState(this);
  /** The order that the running command places; one object serves all commands. */
  readonly arrival: ArrivingOrder = {
    orderNumber: 0,
    account: 0,
    marketId: 0,
    side: buySide,
    price: 0,
    quantity: 0,
    policy: 'rest',
    timeInForce: 0,
    createdAt: 0,
    baseCell: 0,
    quoteCell: 0,
    clientOrderId: null,
    clientHash: 0,
  };

  constructor(rules: Rules = rulesVersion) {
    this.rules = rules;
    this.ledger.onBroken = this.broken.report;
  }

  /** Undefined if there is no market of this number. */
  findSpotMarket(marketId: number): SpotMarketState | undefined {
    return this.spotMarkets[marketId];
  }

  /** @throws AssertionError if the market does not exist. */
  getSpotMarket(marketId: number): SpotMarketState {
    const market = this.spotMarkets[marketId];
    assert(market !== undefined, 'there is no such spot market');
    return market;
  }

  /** The token's number, assigned when its symbol is first used. */
  openToken(symbol: string): TokenId {
    const known = this.tokens.find(symbol);
    if (known !== null) return known;
    const tokenId = this.tokens.add(symbol);
    this.outcome.push({ type: 'tokenAdded', tokenId, symbol });
    return tokenId;
  }
}
