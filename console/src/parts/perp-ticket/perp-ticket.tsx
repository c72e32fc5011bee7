import type { MarketFeed } from '../../feed/market.ts';
import { hasLimit, isTrigger, type PerpType } from '../../forms/perp-order.ts';
import { SelectField } from '../number-field.tsx';
import { Choice } from '../tabs.tsx';
import { LeveragePicker } from './leverage-picker.tsx';
import { changePerpDraft, type PerpMarket, perpDraft } from './perp-draft.ts';
import { PreviewList } from './perp-preview.tsx';
import { Prices } from './perp-prices.tsx';
import { PerpSubmit } from './perp-submit.tsx';

const types: readonly { readonly value: PerpType; readonly text: string }[] = [
  { value: 'LIMIT', text: 'Limit' },
  { value: 'MARKET', text: 'Market' },
  { value: 'STOP', text: 'Stop, limit' },
  { value: 'STOP_MARKET', text: 'Stop, market' },
  { value: 'TAKE_PROFIT', text: 'Take profit, limit' },
  { value: 'TAKE_PROFIT_MARKET', text: 'Take profit, market' },
  { value: 'TRAILING_STOP_MARKET', text: 'Trailing stop' },
];

const timesInForce = [
  { value: 'GTC', text: 'Until canceled' },
  { value: 'IOC', text: 'At once, cancel the rest' },
  { value: 'FOK', text: 'Whole at once, or not at all' },
  { value: 'GTX', text: 'Post only' },
] as const;

const lifetimes = [
  { value: '1', text: 'An hour' },
  { value: '24', text: 'A day' },
  { value: '168', text: 'A week' },
  { value: '720', text: 'Thirty days' },
];

function TimeInForce() {
  const draft = perpDraft.value;
  if (!hasLimit(draft)) return null;
  const untilTime = { value: 'GTD', text: 'Until a time' } as const;
  return (
    <div class={draft.tif === 'GTD' ? 'columns-two' : ''}>
      <SelectField
        label="In force"
        value={draft.tif}
        options={isTrigger(draft) ? [...timesInForce, untilTime] : timesInForce}
        onChange={(tif) => changePerpDraft({ tif })}
      />
      {draft.tif === 'GTD' && (
        <SelectField
          label="For"
          value={draft.hours}
          options={lifetimes}
          onChange={(hours) => changePerpDraft({ hours })}
        />
      )}
    </div>
  );
}

function chooseType(type: PerpType): void {
  // Only an order that waits for its trigger can be GTD.
  const isPlain = type === 'LIMIT' || type === 'MARKET';
  const { tif } = perpDraft.value;
  changePerpDraft({ type, tif: isPlain && tif === 'GTD' ? 'GTC' : tif });
}

/** What a key of the keyboard chooses in place of the list. */
function TypeKey({ name, type }: { name: string; type: PerpType }) {
  return (
    <button type="button" hidden data-key={name} tabIndex={-1} onClick={() => chooseType(type)} />
  );
}

/** The order form of perpetuals. */
export function PerpTicket({ market, feed }: { market: PerpMarket; feed: MarketFeed }) {
  const draft = perpDraft.value;
  return (
    <div class="body">
      <Choice
        label="Side"
        kind="sides"
        tabs={[
          { id: 'buy', label: <span data-key="b">Buy / Long</span> },
          { id: 'sell', label: <span data-key="s">Sell / Short</span> },
        ]}
        chosen={draft.side === 'BUY' ? 'buy' : 'sell'}
        onChoose={(id) => changePerpDraft({ side: id === 'buy' ? 'BUY' : 'SELL' })}
      />
      <div class="columns-two">
        <TypeKey name="m" type="MARKET" />
        <TypeKey name="l" type="LIMIT" />
        <SelectField
          label="Type of order"
          value={draft.type}
          options={types}
          onChange={chooseType}
        />
        <LeveragePicker market={market} />
      </div>
      <Prices market={market} feed={feed} />
      <TimeInForce />
      <label>
        <input
          type="checkbox"
          checked={draft.isReduceOnly}
          onChange={(event) => changePerpDraft({ isReduceOnly: event.currentTarget.checked })}
        />
        Only reduce the position
      </label>
      <PreviewList market={market} />
      <PerpSubmit market={market} feed={feed} />
    </div>
  );
}
