import { useRoute } from 'preact-iso/router';
import { useApi } from '../../api/query.ts';
import { statusOf } from '../../feed/all-markets.ts';
import { Loaded } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';
import { foreignText } from '../../text/foreign.ts';
import { PerpDesk } from './perp-desk.tsx';

export function FuturesPage() {
  const { params } = useRoute();
  const query = useApi('GET /api/v1/markets', {}, { every: 60_000 });
  return (
    <Loaded query={query}>
      {(markets) => {
        const read = markets.find(({ symbol }) => symbol === params['symbol']);
        const market = read && { ...read, status: statusOf('futures', read.symbol, read.status) };
        if (market !== undefined)
          return <PerpDesk key={market.symbol} market={market} all={markets} />;
        return (
          <main class="page" id="main">
            <h1>
              {texts.thereIsNoPerpetual}
              {foreignText(params['symbol'] ?? '')}
            </h1>
            <a href="/">{texts.allMarkets}</a>
          </main>
        );
      }}
    </Loaded>
  );
}
