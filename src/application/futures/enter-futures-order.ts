import { assert } from '../../domain/assert.ts';
import type { FuturesOrder, FuturesTrade, PriceMatch } from '../../domain/futures-order.ts';
import type { AccountId, Address, OrderNumber } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { PlaceFuturesOrder } from '../../engine/futures-commands.ts';
import type { AppliedCommand, RequestDigest } from '../ports/exchange.ts';
import { openAccount } from '../trading/open-account.ts';
import { type FuturesPorts, readAccount, recallAccount } from './futures-ports.ts';

/** An order in the market's units; the account is the caller's. */
export type FuturesOrderTerms = Omit<PlaceFuturesOrder, 'type' | 'accountId'>;

/** A futures order to enter. */
export interface FuturesOrderEntry {
  readonly terms: FuturesOrderTerms;
  /** Of the signed request that the order comes from. */
  readonly digest: RequestDigest | null;
}

/** Account 0 belongs to nobody and owns nothing. */
const nobody = 0 as AccountId;

/** An order right after it was accepted, its state now, and its trades. */
export interface EnteredOrder {
  readonly accepted: FuturesOrder;
  readonly current: FuturesOrder;
  readonly trades: readonly FuturesTrade[];
}

/**
 * Places an order of the caller; resolves once it is durable, to what the caller's API shows of it.
 * @throws EngineBusyError, EngineRestartingError: the order was not taken.
 */
export function placeFuturesOrder<Shown>(
  ports: FuturesPorts,
  caller: Address,
  { terms, digest }: FuturesOrderEntry,
  show: (entered: EnteredOrder) => Shown,
): Promise<Outcome<Shown>> {
  // Callbacks, since the frame of an async function costs every order a kilobyte of garbage.
  const enter = (accountId: AccountId): Promise<Outcome<Shown>> =>
    ports.exchange
      .submit(commandOf(accountId, terms), digest)
      .then((applied) =>
        applied.rejection === null
          ? done(show(readEntered(applied, accountId)))
          : refused(applied.rejection),
      );
  const known = recallAccount(ports, caller);
  return known === null ? openAccount(ports.exchange, caller).then(enter) : enter(known);
}

/** Judges an order as if it were placed now; places nothing and opens no account. */
export function judgeFuturesOrder(
  ports: FuturesPorts,
  caller: Address,
  terms: FuturesOrderTerms,
): Promise<Outcome<null>> {
  return readAccount(ports, caller, ({ futures }, accountId) => {
    const rejection = futures.judgeFuturesOrder(commandOf(accountId ?? nobody, terms));
    return rejection === null ? done(null) : refused(rejection);
  });
}

// Field by field: fields next to a spread cost microseconds at run time.
function commandOf(accountId: AccountId, terms: FuturesOrderTerms): PlaceFuturesOrder {
  return {
    type: 'placeFuturesOrder',
    accountId,
    marketId: terms.marketId,
    clientOrderId: terms.clientOrderId,
    side: terms.side,
    orderType: terms.orderType,
    timeInForce: terms.timeInForce,
    price: terms.price,
    priceMatch: terms.priceMatch,
    quantity: terms.quantity,
    worstPrice: terms.worstPrice,
    stopPrice: terms.stopPrice,
    triggerPriceKind: terms.triggerPriceKind,
    activationPrice: terms.activationPrice,
    callback: terms.callback,
    isReduceOnly: terms.isReduceOnly,
    isClosePosition: terms.isClosePosition,
    isPriceProtected: terms.isPriceProtected,
    selfTradeMode: terms.selfTradeMode,
    goodTill: terms.goodTill,
    isAlgo: terms.isAlgo,
    takeProfit: terms.takeProfit,
    stopLoss: terms.stopLoss,
  };
}

export interface FuturesAmendment {
  readonly orderNumber: OrderNumber;
  readonly side: Side | null;
  /** Null only with a priceMatch. */
  readonly price: Ticks | null;
  readonly priceMatch: PriceMatch;
  readonly quantity: Lots;
  readonly modifyId: number | null;
}

/** @throws EngineBusyError, EngineRestartingError: nothing was changed. */
export async function amendFuturesOrder(
  ports: FuturesPorts,
  caller: Address,
  amendment: FuturesAmendment,
  digest: RequestDigest | null,
): Promise<Outcome<EnteredOrder>> {
  const accountId = await openAccount(ports.exchange, caller);
  const command = { ...amendment, type: 'amendFuturesOrder', accountId } as const;
  const applied = await ports.exchange.submit(command, digest);
  if (applied.rejection !== null) return refused(applied.rejection);
  return done(readEntered(applied, accountId));
}

/** @throws EngineBusyError, EngineRestartingError: nothing was canceled. */
export async function cancelFuturesOrder(
  ports: FuturesPorts,
  caller: Address,
  orderNumber: OrderNumber,
): Promise<Outcome<FuturesOrder>> {
  const accountId = await openAccount(ports.exchange, caller);
  const applied = await ports.exchange.submit({
    type: 'cancelFuturesOrder',
    accountId,
    orderNumber,
  });
  if (applied.rejection !== null) return refused(applied.rejection);
  return done(readEntered(applied, accountId).current);
}

/** The order of the command: the first of the account that the command reports. */
function readEntered({ events }: AppliedCommand, accountId: number): EnteredOrder {
  let accepted: FuturesOrder | null = null;
  let current: FuturesOrder | null = null;
  const trades: FuturesTrade[] = [];
  for (const event of events) {
    if (event.type === 'futuresOrderUpdated' && event.order.accountId === accountId) {
      accepted ??= event.order;
      if (event.order.orderNumber === accepted.orderNumber) current = event.order;
    } else if (event.type === 'futuresTradeExecuted') {
      trades.push(event.trade);
    }
  }
  assert(accepted !== null && current !== null, 'an accepted order has events');
  const { orderNumber } = accepted;
  const own = trades.filter(
    ({ maker, taker }) => maker.orderNumber === orderNumber || taker.orderNumber === orderNumber,
  );
  return { accepted, current, trades: own };
}
