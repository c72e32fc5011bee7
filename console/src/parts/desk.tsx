import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { accountStaleSince } from '../feed/account.ts';
import type { CandlePrice } from '../feed/candles.ts';
import { type MarketFeed, type MarketKind, openMarketFeed } from '../feed/market.ts';
import { decimalsOf, directionOf, formatDecimal, formatSigned } from '../number/format.ts';
import * as texts from '../text/en/desk.ts';
import { BookPanel } from './book-panel.tsx';
import { Chart } from './chart.tsx';
import { Panel, panelClass } from './panel.tsx';
import { Choice } from './tabs.tsx';
import { TapePanel } from './tape.tsx';

const intervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
const interval = signal<(typeof intervals)[number]>('1m');
const candlePrice = signal<CandlePrice>('last');
const shown = signal<'chart' | 'book' | 'tape'>('chart');
const isSheetOpen = signal(false);

/** Opens a market's channels for as long as the page shows the market. */
export function useMarketFeed(kind: MarketKind, symbol: string): MarketFeed {
  const feed = useMemo(() => openMarketFeed(kind, symbol), [kind, symbol]);
  useEffect(() => feed.close, [feed]);
  return feed;
}

export function Stat({
  label,
  children,
  isOptional = false,
}: {
  label: string;
  children: ComponentChildren;
  isOptional?: boolean;
}) {
  return (
    <dl class={`stat ${isOptional ? 'optional' : ''}`}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </dl>
  );
}

/** The last day's figures that both kinds of market have. */
export function DayFigures({ feed, decimals }: { feed: MarketFeed; decimals: number }) {
  const ticker = feed.ticker.value;
  const change = ticker?.price_change_percent ?? null;
  const direction = directionOf(change);
  return (
    <>
      <span key={ticker?.last_price} class={`last flash ${direction}`}>
        {formatDecimal(ticker?.last_price, decimals)}
      </span>
      <Stat label="24 h">
        <span class={direction}>
          {{ up: '▲ ', down: '▼ ', '': '' }[direction]}
          {formatSigned(change, 2)} %
        </span>
      </Stat>
      <Stat label={texts.high} isOptional>
        {formatDecimal(ticker?.high_price, decimals)}
      </Stat>
      <Stat label={texts.low} isOptional>
        {formatDecimal(ticker?.low_price, decimals)}
      </Stat>
      <Stat label={texts.volumeUSDT}>{formatDecimal(ticker?.quote_volume, 0)}</Stat>
    </>
  );
}

export interface DeskProps {
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly feed: MarketFeed;
  readonly tickSize: string;
  readonly quantityDecimals: number;
  readonly head: ComponentChildren;
  readonly ticket: ComponentChildren;
  readonly lists: ComponentChildren;
  readonly onPick: (price: string) => void;
  /** Called when a side is chosen at the bottom of a phone's screen. */
  readonly onSide: (side: 'buy' | 'sell') => void;
}

const focusOn = (place: string): void => document.querySelector<HTMLElement>(place)?.focus();

function openSheet(side: 'buy' | 'sell', onSide: DeskProps['onSide']): void {
  onSide(side);
  isSheetOpen.value = true;
  requestAnimationFrame(() => focusOn('.area-ticket [aria-pressed="true"]'));
}

function closeSheet(): void {
  if (!isSheetOpen.value) return;
  isSheetOpen.value = false;
  focusOn('.desk-foot button');
}

/** Chooses the price of a perpetual that the candles show. */
function PriceChoice() {
  return (
    <select
      class="small"
      aria-label={texts.candlePrice}
      value={candlePrice.value}
      onChange={(event) => {
        candlePrice.value = event.currentTarget.value as CandlePrice;
      }}
    >
      <option value="last">{texts.lastPrice}</option>
      <option value="mark">{texts.markPrice}</option>
      <option value="index">{texts.indexPrice}</option>
    </select>
  );
}

function ChartPanel({ kind, symbol, tickSize, feed }: DeskProps) {
  const price = kind === 'spot' ? 'last' : candlePrice.value;
  return (
    <Panel
      title={texts.chart}
      area="area-chart"
      staleSince={feed.staleSince.value}
      tools={
        <>
          {kind === 'futures' && <PriceChoice />}
          <Choice
            label={texts.interval}
            tabs={intervals.map((id, index) => ({
              id,
              label: <span data-key={index + 1}>{id}</span>,
            }))}
            chosen={interval.value}
            onChoose={(id) => {
              interval.value = id;
            }}
          />
        </>
      }
    >
      <Chart
        source={{ kind, symbol, interval: interval.value, price }}
        decimals={decimalsOf(tickSize)}
      />
    </Panel>
  );
}

/** The order ticket; on a phone a sheet that can be closed. */
function TicketPanel({ children }: { children: ComponentChildren }) {
  return (
    <Panel
      title={texts.order}
      area="area-ticket"
      tools={
        <button
          type="button"
          class="small plain desk-close"
          aria-label={texts.closeTicket}
          onClick={closeSheet}
        >
          ✕
        </button>
      }
    >
      {children}
    </Panel>
  );
}

/** The trading desk: everything at once on a wide screen, one part at a time on a phone. */
export function Desk(props: DeskProps) {
  const { feed, head, ticket, lists, tickSize, quantityDecimals, onSide } = props;
  const { kind, symbol, onPick } = props;
  return (
    <main id="main">
      <div
        class="desk"
        data-shown={shown.value}
        data-sheet={isSheetOpen.value ? 'open' : 'closed'}
        onKeyDown={({ key }) => key === 'Escape' && closeSheet()}
      >
        <div class="head">{head}</div>
        <div class="desk-tabs">
          <Choice
            label={texts.shownCandles}
            tabs={[
              { id: 'chart', label: texts.chart },
              { id: 'book', label: texts.book },
              { id: 'tape', label: texts.trades },
            ]}
            chosen={shown.value}
            onChoose={(id) => {
              shown.value = id;
            }}
          />
        </div>
        <ChartPanel {...props} />
        <BookPanel
          kind={kind}
          symbol={symbol}
          feed={feed}
          tickSize={tickSize}
          quantityDecimals={quantityDecimals}
          onPick={onPick}
        />
        <TapePanel
          symbol={symbol}
          feed={feed}
          priceDecimals={decimalsOf(tickSize)}
          quantityDecimals={quantityDecimals}
        />
        <TicketPanel>{ticket}</TicketPanel>
        <section
          class={panelClass(accountStaleSince.value, 'area-lists')}
          aria-label={texts.yourAccount}
        >
          {lists}
        </section>
        <div class="desk-foot">
          <button type="button" class="buy" onClick={() => openSheet('buy', onSide)}>
            {texts.buy}
          </button>
          <button type="button" class="sell" onClick={() => openSheet('sell', onSide)}>
            {texts.sell}
          </button>
        </div>
      </div>
    </main>
  );
}
