import type { MarketFeed } from '../../feed/market.ts';
import {
  hasLimit,
  isTrailing,
  isTrigger,
  judgeCallback,
  judgeStep,
} from '../../forms/perp-order.ts';
import * as texts from '../../text/en/futures.ts';
import { NumberField, SelectField } from '../number-field.tsx';
import { changePerpDraft, type PerpMarket, perpDraft } from './perp-draft.ts';

type PriceName = 'price' | 'stop' | 'activation' | 'takeProfit' | 'stopLoss';

interface PriceFieldProps {
  readonly name: PriceName;
  readonly label: string;
  readonly step: string;
  /** The market's last price, from which the buttons move an empty field. */
  readonly start?: string | null | undefined;
}

function PriceField({ name, label, step, start }: PriceFieldProps) {
  const text = perpDraft.value[name];
  return (
    <NumberField
      label={label}
      unit={name === 'takeProfit' || name === 'stopLoss' ? '' : 'USDT'}
      value={text}
      step={step}
      error={judgeStep(text, step, 'INVALID_TICK')}
      hasButtons={start !== undefined}
      start={start}
      onInput={(next) => changePerpDraft({ [name]: next })}
    />
  );
}

function TrailingFields({ step }: { step: string }) {
  const draft = perpDraft.value;
  return (
    <div class="columns-two">
      <NumberField
        label={texts.callback}
        unit="%"
        value={draft.callback}
        step="0.01"
        error={judgeCallback(draft)}
        onInput={(callback) => changePerpDraft({ callback })}
      />
      <PriceField name="activation" label={texts.activationPrice} step={step} />
    </div>
  );
}

function TriggerFields({ step }: { step: string }) {
  const draft = perpDraft.value;
  return (
    <>
      {isTrailing(draft) ? (
        <TrailingFields step={step} />
      ) : (
        <PriceField name="stop" label={texts.triggerPrice} step={step} />
      )}
      <SelectField
        label={texts.triggeredBy}
        value={draft.working}
        options={[
          { value: 'MARK_PRICE', text: texts.markPrice },
          { value: 'CONTRACT_PRICE', text: texts.lastPrice },
        ]}
        onChange={(working) => changePerpDraft({ working })}
      />
    </>
  );
}

/** The prices and the quantity that an order of the chosen type needs. */
export function Prices({ market, feed }: { market: PerpMarket; feed: MarketFeed }) {
  const draft = perpDraft.value;
  const step = market.tick_size;
  return (
    <>
      {isTrigger(draft) && <TriggerFields step={step} />}
      {hasLimit(draft) && (
        <div data-key="p">
          <PriceField
            name="price"
            label={texts.price}
            step={step}
            start={feed.ticker.value?.last_price ?? null}
          />
        </div>
      )}
      <div data-key="q">
        <NumberField
          label={texts.quantity}
          unit={market.base_asset}
          value={draft.quantity}
          step={market.lot_size}
          error={judgeStep(draft.quantity, market.lot_size, 'INVALID_LOT')}
          onInput={(quantity) => changePerpDraft({ quantity })}
        />
      </div>
      {draft.type === 'MARKET' && (
        <NumberField
          label={texts.maximumSlippage}
          unit="%"
          value={draft.slippage}
          step="0.01"
          onInput={(slippage) => changePerpDraft({ slippage })}
        />
      )}
      {!isTrigger(draft) && (
        <div class="columns-two">
          <PriceField name="takeProfit" label={texts.takeProfit} step={step} />
          <PriceField name="stopLoss" label={texts.stopLoss} step={step} />
        </div>
      )}
    </>
  );
}
