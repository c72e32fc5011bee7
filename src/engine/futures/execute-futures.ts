import { assertNever } from '../../domain/assert.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { EngineState } from '../engine-state.ts';
import type { FuturesCommand } from '../futures-commands.ts';
import { continueSpotDelistings } from '../spot/administer-spot-market.ts';
import { reservePerpFunds, transferFunds } from './accounts/move-funds.ts';
import { moveHouseFunds } from './accounts/move-house-funds.ts';
import { holdWithdrawals } from './accounts/withdrawal-gate.ts';
import { advanceTime, bookFundingLast } from './advance-time.ts';
import { checkWork } from './command-rules.ts';
import { openFundingHours } from './funding/pay-funding.ts';
import { setAccountFees, setLeverage } from './margin/set-terms.ts';
import { createMarket, setMarketStatus } from './markets/administer-market.ts';
import { amendOrder } from './orders/amend-order.ts';
import { cancelAllOrders, cancelOrder } from './orders/cancel-orders.ts';
import { followPositions } from './orders/follow-position.ts';
import { placeOrder } from './orders/place-order.ts';
import { setCountdown } from './orders/set-countdown.ts';
import { setIndexPrice } from './pricing/set-index-price.ts';
import { settlePrices } from './pricing/settling.ts';
import { reportRisk } from './report-risk.ts';
import { reportTouched } from './report-touched.ts';
import { endedMax } from './risk-limits.ts';
import { fireTriggers } from './triggers/fire-triggers.ts';
import { type TimedOutcome, workLeft } from './work-left.ts';

/** Applies a command of the futures side; a rejected one leaves no trace. */
export function executeFutures(state: EngineState, command: FuturesCommand): Rejection | null {
  const { futures } = state;
  futures.orders.recycle();
  if ('accountId' in command && !state.accounts.has(command.accountId)) {
    return { reason: 'account_not_found' };
  }
  futures.commandWork.begin();
  futures.endingBudget = endedMax;
  futures.feesGiven = 0n;
  // The advanceTime command opens the hour itself, with the mark price of that moment.
  if (command.type !== 'advanceTime') openFundingHours(futures);
  const outcome = apply(state, command);
  if (outcome !== null && outcome !== workLeft) return outcome;
  let isDone = outcome === null;
  followPositions(futures);
  settlePrices(futures);
  if (futures.movedMarkets.size > 0) {
    isDone = fireTriggers(futures) && isDone;
    followPositions(futures);
  }
  if (command.type === 'advanceTime') isDone = bookFundingLast(futures) && isDone;
  reportTouched(futures);
  checkWork(futures);
  reportRisk(futures, command);
  if (!isDone) state.outcome.push({ type: 'timedWorkDue' });
  return null;
}

function apply(state: EngineState, command: FuturesCommand): TimedOutcome {
  const { futures } = state;
  switch (command.type) {
    case 'placeFuturesOrder':
      return placeOrder(futures, command);
    case 'cancelFuturesOrder':
      return cancelOrder(futures, command);
    case 'amendFuturesOrder':
      return amendOrder(futures, command);
    case 'cancelAllFuturesOrders':
      return cancelAllOrders(futures, command);
    case 'advanceTime':
      return advanceAll(state);
    case 'setIndexPrice':
      return setIndexPrice(futures, command);
    case 'transferFunds':
      return transferFunds(state, command);
    case 'reservePerpFunds':
      return reservePerpFunds(state, command);
    case 'moveHouseFunds':
      return moveHouseFunds(state, command);
    case 'holdWithdrawals':
      holdWithdrawals(futures, command);
      return null;
    case 'setLeverage':
      return setLeverage(futures, command);
    case 'setAccountFees':
      return setAccountFees(futures, command);
    case 'setCountdownCancel':
      return setCountdown(futures, command);
    case 'createFuturesMarket':
      return createMarket(futures, command);
    case 'setFuturesMarketStatus':
      return setMarketStatus(futures, command);
    default:
      return assertNever(command);
  }
}

/** Does a bounded part of the timed work of both sides of the engine. */
function advanceAll(state: EngineState): TimedOutcome {
  const isFuturesDone = advanceTime(state.futures);
  const isSpotDone = continueSpotDelistings(state);
  return isFuturesDone && isSpotDone ? null : workLeft;
}
