import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { say, sayError } from '../../feed/notices.ts';
import { isSignedIn } from '../../feed/session.ts';
import { formatFraction, formatWhole } from '../../number/format.ts';
import * as texts from '../../text/en/futures.ts';
import { confirm } from '../dialog.tsx';
import { SendButton } from '../send-button.tsx';
import { type Column, CsvButton, Table } from '../table.tsx';
import type { PerpMarket } from './perp-draft.ts';

type Bracket = Answer<'GET /api/v1/leverage-brackets'>[number]['brackets'][number];

const chosen = signal(1);

const bracketColumns: readonly Column<Bracket>[] = [
  {
    title: texts.positionUpTo,
    isNumber: true,
    cell: (each) => (each.notional_cap === null ? texts.noLimit : formatWhole(each.notional_cap)),
    text: (each) => each.notional_cap,
  },
  {
    title: texts.leverageUpTo,
    isNumber: true,
    cell: (each) => `${each.max_leverage}×`,
    text: (each) => each.max_leverage,
  },
  {
    title: texts.maintenance,
    isNumber: true,
    cell: (each) => formatFraction(each.maintenance_margin_rate),
    text: (each) => each.maintenance_margin_rate,
  },
];

/** The bracket for a leverage: the last one that still allows it. */
function bracketOf(brackets: readonly Bracket[], leverage: number): Bracket | undefined {
  return brackets.findLast((each) => each.max_leverage >= leverage);
}

function LeverageForm({ most, brackets }: { most: number; brackets: readonly Bracket[] }) {
  const cap = bracketOf(brackets, chosen.value)?.notional_cap ?? null;
  return (
    <>
      <label class="field">
        <span class="label">
          <span>{texts.leverage}</span>
          <span>{texts.leverageChosen(chosen.value, most)}</span>
        </span>
        <input
          type="range"
          min={1}
          max={most}
          value={chosen.value}
          onInput={(event) => {
            chosen.value = Number(event.currentTarget.value);
          }}
        />
      </label>
      <p role="status">
        {cap === null ? texts.noPositionLimit : texts.positionLimit(formatWhole(cap))}
      </p>
      <Table
        caption={texts.leverageBrackets}
        columns={bracketColumns}
        rows={brackets}
        keyOf={(each) => each.bracket}
        empty={texts.noBrackets}
      />
      <CsvButton name="leverage-brackets" columns={bracketColumns} rows={brackets} />
      <p class="dim small-text">{texts.leverageExplained}</p>
    </>
  );
}

async function choose(symbol: string, present: number, most: number): Promise<void> {
  try {
    const [brackets] = await api.call('GET /api/v1/leverage-brackets', { query: { symbol } });
    chosen.value = present;
    const isYes = await confirm({
      title: texts.leverageOf(symbol),
      text: <LeverageForm most={most} brackets={brackets?.brackets ?? []} />,
      action: texts.setLeverage,
    });
    if (!isYes || chosen.value === present) return;
    const body = { symbol, leverage: chosen.value };
    const { leverage } = await api.call('POST /api/v1/leverage', { body });
    say('good', texts.leverageSet(symbol, leverage));
    refresh('GET /api/v1/leverage', 'GET /api/v1/positions/active');
  } catch (error) {
    sayError(error);
  }
}

/** Shows and changes the account's leverage in the market. */
export function LeveragePicker({ market }: { market: PerpMarket }) {
  const { symbol, max_leverage: most } = market;
  const query = useApi(
    'GET /api/v1/leverage',
    { query: { symbol } },
    { isEnabled: isSignedIn.value },
  );
  const present = query.data?.[0]?.leverage;
  return (
    <div class="field">
      <span class="label" id="leverage">
        {texts.leverage}
      </span>
      <SendButton
        aria-describedby="leverage"
        disabled={present === undefined}
        onClick={() => present !== undefined && void choose(symbol, present, most)}
      >
        {present === undefined ? texts.upTo(most) : `${present}×`}
      </SendButton>
    </div>
  );
}
