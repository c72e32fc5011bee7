import { type Kysely, sql } from 'kysely';

// What was computed over time and no trade tells: candles of mark price, index price and premium,
// and how the positions of a market were spread. Longer candles are made of these when they are
// asked for.

const finite = (column: string): string =>
  `CHECK (${column} > '-Infinity' AND ${column} < 'Infinity')`;
const amount = (column: string): string => `CHECK (${column} >= 0 AND ${column} < 'Infinity')`;

const parts = ['open', 'high', 'low', 'close'];
const columns = [
  ...['mark', 'index'].flatMap((kind) => parts.map((part) => [`${kind}_${part}`, amount] as const)),
  ...parts.map((part) => [`premium_${part}`, finite] as const),
].map(([column, check]) => `${column} numeric NOT NULL ${check(column)}`);

const statements = [
  `CREATE TABLE futures_price_candles (
    market_id integer NOT NULL,
    length text NOT NULL CHECK (length IN ('1m', '1h', '1d')),
    open_time timestamptz NOT NULL,
    ${columns.join(',\n    ')},
    sample_count bigint NOT NULL CHECK (sample_count > 0),
    PRIMARY KEY (market_id, length, open_time)
  )`,
  `CREATE TABLE futures_position_samples (
    market_id integer NOT NULL,
    sampled_at timestamptz NOT NULL,
    open_interest numeric NOT NULL ${amount('open_interest')},
    mark_price numeric NOT NULL ${amount('mark_price')},
    long_accounts bigint NOT NULL,
    short_accounts bigint NOT NULL,
    top_long_accounts bigint NOT NULL,
    top_short_accounts bigint NOT NULL,
    top_long_quantity numeric NOT NULL ${amount('top_long_quantity')},
    top_short_quantity numeric NOT NULL ${amount('top_short_quantity')},
    PRIMARY KEY (market_id, sampled_at)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
