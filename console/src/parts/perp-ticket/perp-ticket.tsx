import type { MarketFeed } from '../../feed/market.ts';
import { SelectField } from '../number-field.tsx';
import { Choice } from '../tabs.tsx';
import { changePerpDraft, type PerpMarket, perpDraft } from './perp-draft.ts';
import { PreviewList } from './perp-preview.tsx';
import { Prices } from './perp-prices.tsx';
import { PerpSubmit } from './perp-submit.tsx';

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
      <PerpSubmit market={market} />
    </div>
  );
}
