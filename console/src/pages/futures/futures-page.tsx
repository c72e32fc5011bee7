import { useRoute } from 'preact-iso/router';
import { useApi } from '../../api/query.ts';
import { statusOf } from '../../feed/all-markets.ts';
import { LoadedDesk } from '../../parts/loaded-desk.tsx';
import { PerpDesk } from './perp-desk.tsx';

export function FuturesPage() {
  const { params } = useRoute();
  const wanted = params['symbol'] ?? '';
  const query = useApi('GET /api/v1/markets', {}, { every: 60_000 });
  return (
    <LoadedDesk query={query} symbol={wanted}>
      {(markets) => {
        const read = markets.find(({ symbol }) => symbol === wanted);
        if (read === undefined) return null;
        const market = { ...read, status: statusOf('futures', wanted, read.status) };
        return <PerpDesk key={wanted} market={market} all={markets} />;
      }}
    </LoadedDesk>
  );
}
