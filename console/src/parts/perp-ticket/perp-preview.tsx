import { api } from '../../api/api.ts';
import { isSignedIn } from '../../feed/session.ts';
import { isTrigger } from '../../forms/perp-order.ts';
import { decimalsOf, formatDecimal, formatFraction } from '../../number/format.ts';
import { readNumber } from '../../number/read-number.ts';
import { usePreview } from '../use-preview.ts';
import { type PerpMarket, perpDraft } from './perp-draft.ts';

function usePerpPreview(symbol: string) {
  const draft = perpDraft.value;
  const { side, type, isReduceOnly } = draft;
  const quantity = readNumber(draft.quantity);
  const price = type === 'LIMIT' ? readNumber(draft.price) : null;
  const isAsked =
    isSignedIn.value &&
    quantity !== null &&
    !isTrigger(draft) &&
    (type !== 'LIMIT' || price !== null);
  const body = {
    symbol,
    side,
    type: type as 'LIMIT',
    quantity: quantity ?? '',
    ...(price === null ? {} : { price }),
    ...(isReduceOnly ? { reduceOnly: true } : {}),
  };
  const ask = () => api.call('POST /api/v1/orders/preview', { body });
  return usePreview(JSON.stringify(body), isAsked ? ask : null);
}

export function PreviewList({ market }: { market: PerpMarket }) {
  const { preview, isOld } = usePerpPreview(market.symbol);
  const decimals = decimalsOf(market.tick_size);
  return (
    <dl class={`pairs small-text ${isOld ? 'dim' : ''}`} aria-label="Preview">
      <dt>Average price</dt>
      <dd>{formatDecimal(preview?.est_avg_price, decimals)}</dd>
      <dt>Slippage</dt>
      <dd>{formatFraction(preview?.est_slippage, 3)}</dd>
      <dt>Fee</dt>
      <dd>{formatDecimal(preview?.est_fee, 4)} USDT</dd>
      <dt>Margin</dt>
      <dd>{formatDecimal(preview?.est_initial_margin, 2)} USDT</dd>
      <dt>Liquidation after</dt>
      <dd>{formatDecimal(preview?.est_liquidation_price, decimals)}</dd>
      <dt>Available</dt>
      <dd>{formatDecimal(preview?.available_balance, 2)} USDT</dd>
    </dl>
  );
}
