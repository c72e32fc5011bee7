import { api } from '../../api/api.ts';
import { lackingOf } from '../../api/lacking.ts';
import { refresh, useApi } from '../../api/query.ts';
import { CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { type MarketRow, marketColumns } from './market-columns.tsx';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

const marketFields = [
  ['id', texts.symbolExample],
  ['base', texts.baseToken],
  ['quote', texts.quoteToken],
  ['tick', texts.tickSize],
  ['lot', texts.lotSize],
  ['notional', texts.minimumOrderValue],
  ['maker', texts.makerFeeBps],
  ['taker', texts.takerFeeBps],
] as const;

async function createSpotMarket(): Promise<void> {
  const body = {
    id: get('id'),
    base_token: get('base'),
    quote_token: get('quote'),
    tick_size: get('tick'),
    lot_size: get('lot'),
    min_notional: get('notional'),
    maker_fee_bps: Number(get('maker')),
    taker_fee_bps: Number(get('taker')),
  };
  await write(texts.createSpotMarketAction(body.id), () =>
    api.call('POST /api/v1/admin/spot/markets', { body }),
  );
  refresh('GET /api/v1/spot/markets');
}

const perpetualFields = [
  ['perp-symbol', texts.symbolExample],
  ['perp-base', texts.baseAsset],
  ['perp-tick', texts.tickSize],
  ['perp-lot', texts.lotSize],
  ['perp-least', texts.minimumOrderValue],
  ['perp-most', texts.maximumOrderValue],
  ['perp-leverage', texts.maximumLeverage],
  ['perp-maintenance', texts.maintenanceRateExample],
  ['perp-maker', texts.makerFeeBps],
  ['perp-taker', texts.takerFeeBps],
] as const;

async function createPerpetual(): Promise<void> {
  const body = {
    symbol: get('perp-symbol'),
    base_asset: get('perp-base'),
    tick_size: get('perp-tick'),
    lot_size: get('perp-lot'),
    min_notional: get('perp-least'),
    max_notional: get('perp-most'),
    max_leverage: Number(get('perp-leverage')),
    maintenance_margin_rate: get('perp-maintenance'),
    maker_fee_bps: Number(get('perp-maker')),
    taker_fee_bps: Number(get('perp-taker')),
  };
  await write(texts.createPerpetualAction(body.symbol), () =>
    api.call('POST /api/v1/admin/futures/markets', { body }),
  );
  refresh('GET /api/v1/markets');
}

export function Markets() {
  const spot = useApi('GET /api/v1/spot/markets', {});
  const futures = useApi('GET /api/v1/markets', {});
  const rows: readonly MarketRow[] = [
    ...(spot.data?.items ?? []).map(({ id, status }) => ({ kind: 'spot' as const, id, status })),
    ...(futures.data ?? []).map(({ symbol, status }) => ({
      kind: 'futures' as const,
      id: symbol,
      status,
    })),
  ];
  return (
    <>
      <section class="panel" aria-label={texts.markets}>
        <header>
          <h2>{texts.markets}</h2>
          <CsvButton name="markets" columns={marketColumns} rows={rows} />
        </header>
        <Loaded query={lackingOf(spot, futures)}>
          {() => (
            <Table
              caption={texts.markets}
              columns={marketColumns}
              rows={rows}
              keyOf={({ kind, id }) => kind + id}
              empty={texts.noMarkets}
            />
          )}
        </Loaded>
      </section>
      <Form
        title={texts.newSpotMarket}
        names={marketFields}
        action={texts.create}
        onSubmit={createSpotMarket}
      />
      <Form
        title={texts.newPerpetual}
        names={perpetualFields}
        action={texts.create}
        onSubmit={createPerpetual}
      />
      <Form
        title={texts.perpetualIndexPrice}
        names={[
          ['index-symbol', texts.perpetual],
          ['index-price', texts.price],
        ]}
        action={texts.set}
        onSubmit={() =>
          write(texts.setIndexPriceAction(get('index-symbol'), get('index-price')), () =>
            api.call('PUT /api/v1/admin/futures/markets/:symbol/index-price', {
              params: { symbol: get('index-symbol') },
              body: { price: get('index-price') },
            }),
          )
        }
      />
    </>
  );
}
