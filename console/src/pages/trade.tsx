import { useLocation, useRoute } from 'preact-iso/router';
import { useApi } from '../api/query.ts';
import { statusOf } from '../feed/all-markets.ts';
import { changeSpotDraft } from '../feed/drafts.ts';
import { decimalsOf } from '../number/format.ts';
import { DayFigures, Desk, useMarketFeed } from '../parts/desk.tsx';
import { LoadedDesk } from '../parts/loaded-desk.tsx';
import { SpotLists } from '../parts/spot-lists.tsx';
import { type SpotMarket, SpotTicket } from '../parts/spot-ticket.tsx';
import * as texts from '../text/en/pages.ts';

function SpotDesk({ market, all }: { market: SpotMarket; all: readonly SpotMarket[] }) {
  const { route } = useLocation();
  const feed = useMarketFeed('spot', market.id);
  const priceDecimals = decimalsOf(market.tick_size);
  const head = (
    <>
      <h1>
        <span class="hidden">{texts.spotMarket}</span>
        <select
          aria-label={texts.market}
          value={market.id}
          onChange={(event) => route(`/trade/${event.currentTarget.value}`)}
        >
          {all.map((each) => (
            <option key={each.id} value={each.id}>
              {each.base_token}/{each.quote_token}
            </option>
          ))}
        </select>
      </h1>
      <DayFigures feed={feed} decimals={priceDecimals} />
      <span class={`tag ${market.status === 'listed' ? 'good' : 'warn'}`}>{market.status}</span>
    </>
  );
  return (
    <>
      {market.status !== 'listed' && (
        <p class="banner" role="status">
          {texts.notTrading(`${market.base_token}/${market.quote_token}`, market.status)}
        </p>
      )}
      <Desk
        kind="spot"
        symbol={market.id}
        feed={feed}
        tickSize={market.tick_size}
        quantityDecimals={decimalsOf(market.lot_size)}
        head={head}
        ticket={<SpotTicket market={market} feed={feed} />}
        lists={<SpotLists symbol={market.id} />}
        onPick={(price) => changeSpotDraft({ price, type: 'limit' })}
        onSide={(side) => changeSpotDraft({ side })}
      />
    </>
  );
}

export function TradePage() {
  const { params } = useRoute();
  const symbol = params['symbol'] ?? '';
  const query = useApi('GET /api/v1/spot/markets', {}, { every: 60_000 });
  return (
    <LoadedDesk query={query} symbol={symbol}>
      {({ items }) => {
        const read = items.find(({ id }) => id === symbol);
        if (read === undefined) return null;
        const market = { ...read, status: statusOf('spot', symbol, read.status) };
        return <SpotDesk key={symbol} market={market} all={items} />;
      }}
    </LoadedDesk>
  );
}
