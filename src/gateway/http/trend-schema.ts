import { Type } from 'typebox';
import { strictObject } from './schema.ts';

export const trendsDescription =
  'The last price of each of the last 24 hours, oldest first, for every market that ' +
  'traded within them; an hour without trades has the previous price. At most a minute ' +
  'old.';

export const trendSchema = strictObject(
  {
    symbol: Type.String({ description: 'The market', examples: ['BTCUSDT'] }),
    closes: Type.Array(Type.String(), {
      description: 'At most 24 prices; the last one is that of the current hour',
      examples: [['63000', '63250.5', '64000']],
    }),
  },
  { title: 'MarketTrend', description: 'The last day of a market' },
);
