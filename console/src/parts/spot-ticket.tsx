import { fromUnits, toUnits } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../api/api.ts';
import { availableOf } from '../feed/account.ts';
import { changeSpotDraft, spotDraft } from '../feed/drafts.ts';
import type { MarketFeed } from '../feed/market.ts';
import { newClientOrderId, sendOrder } from '../feed/orders.ts';
import { isSignedIn } from '../feed/session.ts';
import {
  type FormError,
  isComplete,
  judgeSpotOrder,
  type SpotField,
  type SpotSummary,
  spotOrderBody,
  spotPreviewBody,
  summarizeSpotOrder,
  summaryOfPreview,
} from '../forms/spot-order.ts';
import { decimalsOf, formatUnits } from '../number/format.ts';
import { cutToStep, divide, multiply, readNumber } from '../number/read-number.ts';
import * as texts from '../text/en/desk.ts';
import { Amount } from './amount.tsx';
import { confirm } from './dialog.tsx';
import { NumberField, SelectField } from './number-field.tsx';
import { agedWords, usualQuestion, warningOfAge } from './order-questions.ts';
import { SendButton } from './send-button.tsx';
import { openSignIn } from './sign-in-menu.ts';
import { Choice } from './tabs.tsx';
import { usePreview } from './use-preview.ts';

export interface SpotMarket {
  readonly id: string;
  readonly base_token: string;
  readonly quote_token: string;
  readonly tick_size: string;
  readonly lot_size: string;
  readonly min_notional: string;
  readonly maker_fee_bps: number;
  readonly taker_fee_bps: number;
  readonly status: string;
}

const isSending = signal(false);
const shares = [25, 50, 75, 100] as const;

/** A percentage of the available amount, truncated to the lot. */
function share(market: SpotMarket, feed: MarketFeed, percent: number): void {
  const { side, type, price } = spotDraft.value;
  const part = (text: string): bigint => (toUnits(text) * BigInt(percent)) / 100n;
  if (side === 'sell') {
    const quantity = fromUnits(part(availableOf('spot', market.base_token)));
    return changeSpotDraft({ quantity: cutToStep(quantity, market.lot_size) });
  }
  const quote = part(availableOf('spot', market.quote_token));
  if (type === 'market') return changeSpotDraft({ quote: cutToStep(fromUnits(quote), '0.01') });
  const typed = readNumber(price);
  const at = typed === null ? (feed.book.asks[0]?.price ?? 0n) : toUnits(typed);
  changeSpotDraft({
    price: fromUnits(at),
    quantity: cutToStep(fromUnits(divide(quote, at)), market.lot_size),
  });
}

const largeShare = 20n;
const slippageMaxPerMille = 10n;

/** The question before a market order that is large or slips far; null: none. */
function warningOf(market: SpotMarket, feed: MarketFeed, summary: SpotSummary): string | null {
  const { side, type } = spotDraft.value;
  if (type !== 'market' || summary.averagePrice === null) return null;
  const best = (side === 'buy' ? feed.book.asks : feed.book.bids)[0]?.price ?? 0n;
  const slip =
    best > summary.averagePrice ? best - summary.averagePrice : summary.averagePrice - best;
  if (best > 0n && slip * 1000n > best * slippageMaxPerMille) {
    return texts.bookPriceIsWorse;
  }
  const base = multiply(toUnits(availableOf('spot', market.base_token)), summary.averagePrice);
  const equity = toUnits(availableOf('spot', market.quote_token)) + base;
  return summary.notional * largeShare > equity ? texts.overShareOfHoldings : null;
}

async function submit(market: SpotMarket, feed: MarketFeed, summary: SpotSummary): Promise<void> {
  const draft = spotDraft.value;
  const words = texts.submitOrder(
    draft.side === 'buy' ? texts.buy : texts.sell,
    market.base_token,
    draft.type,
  );
  const warning = warningOfAge(feed) ?? warningOf(market, feed, summary) ?? usualQuestion();
  if (
    warning !== null &&
    !(await confirm({
      title: `${words}?`,
      text: warning,
      action: words,
      kind: draft.side,
      isMoney: true,
    }))
  )
    return;
  isSending.value = true;
  const clientOrderId = newClientOrderId();
  const sent = { clientOrderId, symbol: market.id, text: words, state: 'sending' as const };
  const body = spotOrderBody(draft, market.id, clientOrderId);
  const isTaken = await sendOrder(sent, () => api.call('POST /api/v1/spot/orders', { body }));
  isSending.value = false;
  if (isTaken) changeSpotDraft({ quantity: '', quote: '' });
}

/** The preview of a market order; null while there is none of what is typed now. */
function useSpotPreview(symbol: string) {
  const draft = spotDraft.value;
  const body = spotPreviewBody(draft, symbol);
  const isAsked = isSignedIn.value && draft.type === 'market' && isComplete(draft);
  const ask = () => api.call('POST /api/v1/spot/orders/preview', { body });
  const { preview, isOld } = usePreview(JSON.stringify(body), isAsked ? ask : null);
  return isOld ? null : preview;
}

function Summary({ summary, market }: { summary: SpotSummary | null; market: SpotMarket }) {
  const { type, side } = spotDraft.value;
  const decimals = decimalsOf(market.tick_size);
  const textOf = (value: bigint | undefined) => (value === undefined ? null : fromUnits(value));
  const show = (value: bigint | null | undefined): string =>
    value === null || value === undefined ? '–' : formatUnits(value, decimals);
  const quote = market.quote_token;
  const held = side === 'buy' ? quote : market.base_token;
  return (
    <dl class="pairs small-text">
      <dt>
        {side === 'buy' ? texts.cost : texts.proceeds}
        {type === 'market' ? texts.estimate : ''}
      </dt>
      <dd>
        <Amount value={textOf(summary?.notional)} token={quote} isNamed />
      </dd>
      <dt>{texts.feeAtMost}</dt>
      <dd>
        <Amount value={textOf(summary?.fee)} token={quote} isNamed />
      </dd>
      {type === 'market' && (
        <>
          <dt>{texts.averageEstimate}</dt>
          <dd>{show(summary?.averagePrice)}</dd>
          <dt>{texts.worstEstimate}</dt>
          <dd>
            {show(summary?.worstPrice)}
            {summary?.isBeyondBook === true ? texts.andBeyond : ''}
          </dd>
        </>
      )}
      <dt>{texts.available}</dt>
      <dd>
        <Amount value={availableOf('spot', held)} token={held} isNamed />
      </dd>
    </dl>
  );
}

interface FieldsProps {
  readonly market: SpotMarket;
  readonly feed: MarketFeed;
  readonly errors: readonly FormError[];
}

function Fields({ market, feed, errors }: FieldsProps) {
  const draft = spotDraft.value;
  const errorOf = (field: SpotField): string | null =>
    errors.find((each) => each.field === field)?.code ?? null;
  const isByQuote = draft.type === 'market' && draft.side === 'buy';
  return (
    <>
      {draft.type === 'limit' && (
        <div data-key="p">
          <NumberField
            label={texts.price}
            unit={market.quote_token}
            value={draft.price}
            step={market.tick_size}
            error={errorOf('price')}
            hasButtons
            start={feed.ticker.value?.last_price}
            onInput={(price) => changeSpotDraft({ price })}
          />
        </div>
      )}
      <div data-key="q">
        {isByQuote ? (
          <NumberField
            label={texts.spend}
            unit={market.quote_token}
            value={draft.quote}
            step="0.01"
            error={errorOf('quote')}
            onInput={(quote) => changeSpotDraft({ quote })}
          />
        ) : (
          <NumberField
            label={texts.quantity}
            unit={market.base_token}
            value={draft.quantity}
            step={market.lot_size}
            error={errorOf('quantity')}
            onInput={(quantity) => changeSpotDraft({ quantity })}
          />
        )}
      </div>
    </>
  );
}

function InForce() {
  return (
    <SelectField
      label={texts.timeInForce}
      value={spotDraft.value.tif}
      options={[
        { value: 'gtc', text: texts.goodTillCanceled },
        { value: 'ioc', text: texts.immediateOrCancel },
        { value: 'fok', text: texts.fillOrKill },
        { value: 'post_only', text: texts.postOnly },
      ]}
      onChange={(tif) => changeSpotDraft({ tif })}
    />
  );
}

function Shares({ market, feed }: { market: SpotMarket; feed: MarketFeed }) {
  return (
    <div class="shares">
      {shares.map((percent) => (
        <button
          key={percent}
          type="button"
          class="small"
          onClick={() => share(market, feed, percent)}
        >
          {percent === 100 ? texts.max : `${percent} %`}
        </button>
      ))}
    </div>
  );
}

/** The spot order form. */
export function SpotTicket({ market, feed }: { market: SpotMarket; feed: MarketFeed }) {
  const draft = spotDraft.value;
  const funds = {
    base: availableOf('spot', market.base_token),
    quote: availableOf('spot', market.quote_token),
  };
  const isIn = isSignedIn.value;
  const errors = isIn ? judgeSpotOrder(draft, market, funds) : [];
  // Market orders are estimated from the book, which changes while the form is open.
  const isBookRead = draft.type === 'market' && feed.bookVersion.value >= 0;
  const opposite = draft.side === 'buy' ? feed.book.asks : feed.book.bids;
  const estimate = summarizeSpotOrder(draft, market, isBookRead ? opposite : []);
  const preview = useSpotPreview(market.id);
  const summary = estimate === null || preview === null ? estimate : summaryOfPreview(preview);
  const isOpen = !isSending.value && market.status === 'listed';
  const canSend = isComplete(draft) && errors.length === 0 && isOpen;
  return (
    <div class="body">
      <Choice
        label={texts.side}
        kind="sides"
        tabs={[
          { id: 'buy', label: <span data-key="b">{texts.buy}</span> },
          { id: 'sell', label: <span data-key="s">{texts.sell}</span> },
        ]}
        chosen={draft.side}
        onChoose={(side) => changeSpotDraft({ side })}
      />
      <Choice
        label={texts.orderType}
        tabs={[
          { id: 'limit', label: <span data-key="l">{texts.limit}</span> },
          { id: 'market', label: <span data-key="m">{texts.market}</span> },
        ]}
        chosen={draft.type}
        onChoose={(type) => changeSpotDraft({ type })}
      />
      <Fields market={market} feed={feed} errors={errors} />
      <Shares market={market} feed={feed} />
      {draft.type === 'limit' && <InForce />}
      <Summary summary={summary} market={market} />
      {isIn ? (
        <SendButton
          class={`wide ${draft.side}`}
          disabled={!canSend}
          onClick={() => summary !== null && void submit(market, feed, summary)}
        >
          {isSending.value
            ? texts.sendingCapital
            : `${draft.side === 'buy' ? texts.buy : texts.sell} ${market.base_token}${agedWords(feed)}`}
        </SendButton>
      ) : (
        <button type="button" class="wide primary" onClick={openSignIn}>
          {texts.signInToTrade}
        </button>
      )}
    </div>
  );
}
