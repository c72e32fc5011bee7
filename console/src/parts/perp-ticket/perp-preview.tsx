import { api, shownErrorOf } from '../../api/api.ts';
import { isSignedIn } from '../../feed/session.ts';
import { isTrigger, perpPreviewBody } from '../../forms/perp-order.ts';
import { decimalsOf, formatDecimal, formatFraction } from '../../number/format.ts';
import * as texts from '../../text/en/futures.ts';
import { sentenceOf } from '../../text/sentence.ts';
import { Amount } from '../amount.tsx';
import { RequestId } from '../table.tsx';
import { usePreview } from '../use-preview.ts';
import { type PerpMarket, perpDraft } from './perp-draft.ts';

function usePerpPreview(symbol: string) {
  const draft = perpDraft.value;
  const body = perpPreviewBody(draft, symbol);
  const { type, quantity, price } = body;
  const isAsked =
    isSignedIn.value &&
    quantity !== '' &&
    !isTrigger(draft) &&
    (type !== 'LIMIT' || price !== undefined);
  const ask = () => api.call('POST /api/v1/orders/preview', { body });
  return usePreview(JSON.stringify(body), isAsked ? ask : null);
}

/** Why the service has no preview of the order. */
function Refused({ error }: { error: unknown }) {
  const { code, detail, requestId } = shownErrorOf(error);
  return (
    <p class="small-text" role="status">
      {sentenceOf(code, detail)} <code>{code}</code>
      {requestId !== null && <RequestId id={requestId} />}
    </p>
  );
}

export function PreviewList({ market }: { market: PerpMarket }) {
  const { preview, isOld, error } = usePerpPreview(market.symbol);
  const decimals = decimalsOf(market.tick_size);
  return (
    <>
      <dl class={`pairs small-text ${isOld ? 'dim' : ''}`} aria-label={texts.preview}>
        <dt>{texts.averagePrice}</dt>
        <dd>{formatDecimal(preview?.est_avg_price, decimals)}</dd>
        <dt>{texts.slippage}</dt>
        <dd>{formatFraction(preview?.est_slippage, 3)}</dd>
        <dt>{texts.fee}</dt>
        <dd>
          <Amount value={preview?.est_fee} token="USDT" isNamed />
        </dd>
        <dt>{texts.margin}</dt>
        <dd>
          <Amount value={preview?.est_initial_margin} token="USDT" isNamed />
        </dd>
        <dt>{texts.liquidationAfter}</dt>
        <dd>{formatDecimal(preview?.est_liquidation_price, decimals)}</dd>
        <dt>{texts.available}</dt>
        <dd>
          <Amount value={preview?.available_balance} token="USDT" isNamed />
        </dd>
      </dl>
      {error !== null && <Refused error={error} />}
    </>
  );
}
