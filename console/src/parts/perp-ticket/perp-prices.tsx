import { isTrigger, judgeStep } from '../../forms/perp-order.ts';
import { NumberField } from '../number-field.tsx';
import { changePerpDraft, type PerpMarket, perpDraft } from './perp-draft.ts';

export function Prices({ market }: { market: PerpMarket }) {
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
