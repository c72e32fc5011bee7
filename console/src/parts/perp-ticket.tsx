import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import type { MarketFeed } from '../feed/market.ts';
import { sayError } from '../feed/notices.ts';
import { newClientOrderId, sendOrder } from '../feed/orders.ts';
import { isSignedIn } from '../feed/session.ts';
import {
  isPerpComplete,
  isTrigger,
  judgeStep,
  type PerpDraft,
  perpOrderBody,
} from '../forms/perp-order.ts';
import { decimalsOf, formatDecimal, formatFraction, formatWhole } from '../number/format.ts';
import { readNumber } from '../number/read-number.ts';
import { openSignIn } from './account-menu.tsx';
import { confirm } from './dialog.tsx';
import { NumberField, SelectField } from './number-field.tsx';
import { Choice } from './tabs.tsx';

export type PerpMarket = Answer<'GET /api/v1/markets'>[number];
type Preview = Answer<'POST /api/v1/orders/preview'>;

export const perpDraft = signal<PerpDraft>({
  ...{ side: 'BUY', type: 'LIMIT', tif: 'GTC', price: '', stop: '', quantity: '' },
  ...{ takeProfit: '', stopLoss: '', leverage: 10, isReduceOnly: false },
});

export function changePerpDraft(change: Partial<PerpDraft>): void {
  perpDraft.value = { ...perpDraft.value, ...change };
}

const isSending = signal(false);
const previewWaitMs = 250;

/** What the service says the order would do; asked a moment after the last change. */
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

async function submit(market: PerpMarket): Promise<void> {
  const draft = perpDraft.value;
  const words = `${draft.side === 'BUY' ? 'Buy' : 'Sell'} ${readNumber(draft.quantity) ?? ''} ${market.base_asset}`;
  if (draft.type === 'MARKET') {
    const text = `A market order at ${draft.leverage}× leverage trades at once at whatever the book gives.`;
    if (
      !(await confirm({
        title: `${words}?`,
        text,
        action: words,
        kind: draft.side === 'BUY' ? 'buy' : 'sell',
        isMoney: true,
      }))
    )
      return;
  }
  isSending.value = true;
  const clientOrderId = newClientOrderId();
  const body = perpOrderBody(draft, market.symbol, clientOrderId);
  const sent = {
    clientOrderId,
    symbol: market.symbol,
    text: words,
    state: 'sending' as const,
    market: 'futures' as const,
  };
  const isTaken = await sendOrder(sent, () => api.call('POST /api/v1/orders', { body }));
  isSending.value = false;
  if (isTaken) changePerpDraft({ quantity: '' });
}

/** Closes a position by a market order that can only reduce it. */
export async function closePosition(
  symbol: string,
  side: 'LONG' | 'SHORT',
  quantity: string,
): Promise<void> {
  const text = `The whole position of ${quantity} is closed by a market order.`;
  if (
    !(await confirm({
      title: `Close ${symbol}?`,
      text,
      action: 'Close it',
      kind: 'sell',
      isMoney: true,
    }))
  )
    return;
  const clientOrderId = newClientOrderId();
  const body = {
    symbol,
    side: side === 'LONG' ? ('SELL' as const) : ('BUY' as const),
    type: 'MARKET',
    quantity,
    reduceOnly: true,
    newClientOrderId: clientOrderId,
  };
  await sendOrder(
    { clientOrderId, symbol, text: `Close ${symbol}`, state: 'sending', market: 'futures' },
    () => api.call('POST /api/v1/orders', { body }),
  );
}

export async function cancelPerpOrder(id: number): Promise<void> {
  try {
    await api.call('DELETE /api/v1/orders/:order_id', { params: { order_id: id } });
  } catch (error) {
    sayError(error);
  }
}

function PreviewList({ market }: { market: PerpMarket }) {
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

function Prices({ market }: { market: PerpMarket }) {
  const draft = perpDraft.value;
  const step = market.tick_size;
  return (
    <>
      {draft.type === 'LIMIT' && (
        <div data-key="p">
          <NumberField
            label="Price"
            unit="USDT"
            value={draft.price}
            step={step}
            error={judgeStep(draft.price, step, 'INVALID_TICK')}
            onInput={(price) => changePerpDraft({ price })}
          />
        </div>
      )}
      {isTrigger(draft) && (
        <NumberField
          label="Trigger price"
          unit="USDT"
          value={draft.stop}
          step={step}
          error={judgeStep(draft.stop, step, 'INVALID_TICK')}
          onInput={(stop) => changePerpDraft({ stop })}
        />
      )}
      <div data-key="q">
        <NumberField
          label="Quantity"
          unit={market.base_asset}
          value={draft.quantity}
          step={market.lot_size}
          error={judgeStep(draft.quantity, market.lot_size, 'INVALID_LOT')}
          onInput={(quantity) => changePerpDraft({ quantity })}
        />
      </div>
      {!isTrigger(draft) && (
        <div class="columns-two">
          <NumberField
            label="Take profit"
            unit=""
            value={draft.takeProfit}
            step={step}
            onInput={(takeProfit) => changePerpDraft({ takeProfit })}
          />
          <NumberField
            label="Stop loss"
            unit=""
            value={draft.stopLoss}
            step={step}
            onInput={(stopLoss) => changePerpDraft({ stopLoss })}
          />
        </div>
      )}
    </>
  );
}

/** The order form of perpetuals. */
export function PerpTicket({ market }: { market: PerpMarket; feed: MarketFeed }) {
  const draft = perpDraft.value;
  const isBuy = draft.side === 'BUY';
  return (
    <div class="body">
      <Choice
        label="Side"
        kind="sides"
        tabs={[
          { id: 'buy', label: <span data-key="b">Buy / Long</span> },
          { id: 'sell', label: <span data-key="s">Sell / Short</span> },
        ]}
        chosen={isBuy ? 'buy' : 'sell'}
        onChoose={(id) => changePerpDraft({ side: id === 'buy' ? 'BUY' : 'SELL' })}
      />
      <SelectField
        label="Type of order"
        value={draft.type}
        options={[
          { value: 'LIMIT', text: 'Limit' },
          { value: 'MARKET', text: 'Market' },
          { value: 'STOP_MARKET', text: 'Stop, market' },
          { value: 'TAKE_PROFIT_MARKET', text: 'Take profit, market' },
        ]}
        onChange={(type) => changePerpDraft({ type })}
      />
      <label class="field">
        <span class="label">
          <span>Leverage</span>
          <span>
            {draft.leverage}× of at most {market.max_leverage}×
          </span>
        </span>
        <input
          type="range"
          min={1}
          max={market.max_leverage}
          value={draft.leverage}
          onInput={(event) => changePerpDraft({ leverage: Number(event.currentTarget.value) })}
        />
      </label>
      <Prices market={market} />
      {draft.type === 'LIMIT' && (
        <SelectField
          label="In force"
          value={draft.tif}
          options={[
            { value: 'GTC', text: 'Until canceled' },
            { value: 'IOC', text: 'At once, cancel the rest' },
            { value: 'FOK', text: 'Whole at once, or not at all' },
            { value: 'GTX', text: 'Post only' },
          ]}
          onChange={(tif) => changePerpDraft({ tif })}
        />
      )}
      <label>
        <input
          type="checkbox"
          checked={draft.isReduceOnly}
          onChange={(event) => changePerpDraft({ isReduceOnly: event.currentTarget.checked })}
        />
        Only reduce the position
      </label>
      <PreviewList market={market} />
      {isSignedIn.value ? (
        <button
          type="button"
          class={`wide ${isBuy ? 'buy' : 'sell'}`}
          disabled={!isPerpComplete(draft) || isSending.value || market.status !== 'listed'}
          onClick={() => void submit(market)}
        >
          {isSending.value
            ? 'Sending…'
            : `${isBuy ? 'Buy' : 'Sell'} ${market.base_asset} ${formatWhole(readNumber(draft.quantity) ?? null).replace('–', '')}`}
        </button>
      ) : (
        <button type="button" class="wide primary" onClick={openSignIn}>
          Sign in to trade
        </button>
      )}
    </div>
  );
}
