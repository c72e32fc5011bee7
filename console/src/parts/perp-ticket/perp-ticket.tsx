import type { MarketFeed } from '../../feed/market.ts';
import { hasLimit, isTrigger, type PerpType } from '../../forms/perp-order.ts';
import * as texts from '../../text/en/futures.ts';
import { CheckField } from '../check-field.tsx';
import { SelectField } from '../number-field.tsx';
import { Choice } from '../tabs.tsx';
import { LeveragePicker } from './leverage-picker.tsx';
import { changePerpDraft, type PerpMarket, perpDraft } from './perp-draft.ts';
import { PreviewList } from './perp-preview.tsx';
import { Prices } from './perp-prices.tsx';
import { PerpSubmit } from './perp-submit.tsx';

const types: readonly { readonly value: PerpType; readonly text: string }[] = [
  { value: 'LIMIT', text: texts.limit },
  { value: 'MARKET', text: texts.market },
  { value: 'STOP', text: texts.stopLimit },
  { value: 'STOP_MARKET', text: texts.stopMarket },
  { value: 'TAKE_PROFIT', text: texts.takeProfitLimit },
  { value: 'TAKE_PROFIT_MARKET', text: texts.takeProfitMarket },
  { value: 'TRAILING_STOP_MARKET', text: texts.trailingStop },
];

const timesInForce = [
  { value: 'GTC', text: texts.goodTillCanceled },
  { value: 'IOC', text: texts.immediateOrCancel },
  { value: 'FOK', text: texts.fillOrKill },
  { value: 'GTX', text: texts.postOnly },
] as const;

const lifetimes = [
  { value: '1', text: texts.anHour },
  { value: '24', text: texts.aDay },
  { value: '168', text: texts.aWeek },
  { value: '720', text: texts.thirtyDays },
];

function TimeInForce() {
  const draft = perpDraft.value;
  if (!hasLimit(draft)) return null;
  const untilTime = { value: 'GTD', text: texts.goodTillTime } as const;
  return (
    <div class={draft.tif === 'GTD' ? 'columns-two' : ''}>
      <SelectField
        label={texts.timeInForce}
        value={draft.tif}
        options={isTrigger(draft) ? [...timesInForce, untilTime] : timesInForce}
        onChange={(tif) => changePerpDraft({ tif })}
      />
      {draft.tif === 'GTD' && (
        <SelectField
          label={texts.lifetime}
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
        label={texts.side}
        kind="sides"
        tabs={[
          { id: 'buy', label: <span data-key="b">{texts.buyLong}</span> },
          { id: 'sell', label: <span data-key="s">{texts.sellShort}</span> },
        ]}
        chosen={draft.side === 'BUY' ? 'buy' : 'sell'}
        onChoose={(id) => changePerpDraft({ side: id === 'buy' ? 'BUY' : 'SELL' })}
      />
      <div class="columns-two">
        <TypeKey name="m" type="MARKET" />
        <TypeKey name="l" type="LIMIT" />
        <SelectField
          label={texts.orderType}
          value={draft.type}
          options={types}
          onChange={chooseType}
        />
        <LeveragePicker market={market} />
      </div>
      <Prices market={market} feed={feed} />
      <TimeInForce />
      <CheckField
        label={texts.reduceOnly}
        isChecked={draft.isReduceOnly}
        onChange={(isReduceOnly) => changePerpDraft({ isReduceOnly })}
      />
      <PreviewList market={market} />
      <PerpSubmit market={market} feed={feed} />
    </div>
  );
}
