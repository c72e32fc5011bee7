import type { Answer } from '@openbourse/client';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { isSignedIn } from '../../feed/session.ts';
import { isTrigger } from '../../forms/perp-order.ts';
import { decimalsOf, formatDecimal, formatFraction } from '../../number/format.ts';
import { readNumber } from '../../number/read-number.ts';
import { type PerpMarket, perpDraft } from './perp-draft.ts';

type Preview = Answer<'POST /api/v1/orders/preview'>;

const previewWaitMs = 250;

/** The service's preview of the order, requested shortly after the last change. */
function usePreview(symbol: string): { preview: Preview | null; isOld: boolean } {
  const draft = perpDraft.value;
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isOld, setOld] = useState(false);
  const { side, type, quantity, price, isReduceOnly } = draft;
  useEffect(() => {
    setOld(true);
    const amount = readNumber(quantity);
    const at = readNumber(price);
    if (
      !isSignedIn.value ||
      amount === null ||
      isTrigger(draft) ||
      (type === 'LIMIT' && at === null)
    ) {
      setPreview(null);
      return;
    }
    let isOver = false;
    const timer = setTimeout(() => {
      const body = {
        symbol,
        side,
        type: type as 'LIMIT',
        quantity: amount,
        ...(type === 'LIMIT' && at !== null ? { price: at } : {}),
        ...(isReduceOnly ? { reduceOnly: true } : {}),
      };
      api.call('POST /api/v1/orders/preview', { body }).then(
        (answer) => {
          if (isOver) return;
          setPreview(answer);
          setOld(false);
        },
        () => !isOver && setPreview(null),
      );
    }, previewWaitMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [symbol, side, type, quantity, price, isReduceOnly]);
  return { preview, isOld };
}

export function PreviewList({ market }: { market: PerpMarket }) {
  const { preview, isOld } = usePreview(market.symbol);
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
      <dt>Available</dt>
      <dd>{formatDecimal(preview?.available_balance, 2)} USDT</dd>
    </dl>
  );
}
