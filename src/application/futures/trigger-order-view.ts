import { formatScaled } from '../../domain/decimal.ts';
import type { FuturesMarket } from '../../domain/futures-market.ts';
import { upperWord } from '../../domain/upper-word.ts';
import { formatTime } from '../format-time.ts';
import type { PastFuturesOrder } from '../ports/futures-history.ts';
import { type AlgoStatus, algoStatusOf } from './algo-status.ts';
import { type FuturesOrderView, formatTicks, viewFuturesOrder } from './futures-views.ts';

export interface TriggerOrderView extends FuturesOrderView {
  readonly trigger_status: AlgoStatus;
  readonly triggered_at: string | null;
  readonly activation_price: string | null;
  readonly callback_rate: string | null;
  readonly price_match: string;
  readonly price_protect: boolean;
}

const callbackScale = 2;

export function viewTriggerOrder(order: PastFuturesOrder, market: FuturesMarket): TriggerOrderView {
  const { triggeredAt, callback } = order;
  return {
    ...viewFuturesOrder(order, market),
    trigger_status: algoStatusOf(order, order.end ?? null),
    triggered_at: triggeredAt === null ? null : formatTime(triggeredAt),
    activation_price: formatTicks(market, order.activationPrice),
    callback_rate: callback === null ? null : formatScaled(BigInt(callback), callbackScale),
    price_match: upperWord(order.priceMatch),
    price_protect: order.isPriceProtected,
  };
}
