import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { CsvButton, Loaded, Table } from '../../parts/table.tsx';
import { type MarketRow, marketColumns } from './market-columns.tsx';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

const marketFields = [
  ['id', 'Symbol, for example XYZUSDT'],
  ['base', 'Base token'],
  ['quote', 'Quote token'],
  ['tick', 'Tick size'],
  ['lot', 'Lot size'],
  ['notional', 'Minimum order value'],
  ['maker', 'Maker fee, bps'],
  ['taker', 'Taker fee, bps'],
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
  await write(`Create the spot market ${body.id}.`, () =>
    api.call('POST /api/v1/admin/spot/markets', { body }),
  );
  refresh('GET /api/v1/spot/markets');
}

const perpetualFields = [
  ['perp-symbol', 'Symbol, for example XYZUSDT'],
  ['perp-base', 'Base asset'],
  ['perp-tick', 'Tick size'],
  ['perp-lot', 'Lot size'],
  ['perp-least', 'Minimum order value'],
  ['perp-most', 'Maximum order value'],
  ['perp-leverage', 'Maximum leverage'],
  ['perp-maintenance', 'Maintenance margin rate, for example 0.005'],
  ['perp-maker', 'Maker fee, bps'],
  ['perp-taker', 'Taker fee, bps'],
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
  await write(`Create the perpetual ${body.symbol}.`, () =>
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
      <section class="panel" aria-label="Markets">
        <header>
          <h2>Markets</h2>
          <CsvButton name="markets" columns={marketColumns} rows={rows} />
        </header>
        <Loaded query={spot}>
          {() => (
            <Table
              caption="Markets"
              columns={marketColumns}
              rows={rows}
              keyOf={({ kind, id }) => kind + id}
              empty="No markets."
            />
          )}
        </Loaded>
      </section>
      <Form
        title="New spot market"
        names={marketFields}
        action="Create"
        onSubmit={createSpotMarket}
      />
      <Form
        title="New perpetual"
        names={perpetualFields}
        action="Create"
        onSubmit={createPerpetual}
      />
      <Form
        title="Index price of a perpetual"
        names={[
          ['index-symbol', 'Perpetual'],
          ['index-price', 'Price'],
        ]}
        action="Set"
        onSubmit={() =>
          write(`Set the index price of ${get('index-symbol')} to ${get('index-price')}.`, () =>
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
