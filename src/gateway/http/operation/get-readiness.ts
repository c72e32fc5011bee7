import { Type } from 'typebox';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { jsonType } from '../send-error.ts';
import type { Readiness } from './readiness.ts';

const partSchema = Type.Object({
  state: Type.String({ description: 'How the part stands', examples: ['ready'] }),
  detail: Type.Optional(Type.String({ description: 'Why it is not ready' })),
  last_success_age_s: Type.Optional(
    Type.Unsafe<Readonly<Record<string, number | null>>>({
      type: 'object',
      description: 'Of timed jobs: seconds since each last succeeded, null before the first time',
      examples: [{ 'refresh-daily-leaderboard': 42 }],
    }),
  ),
});

export function getReadinessEndpoint(readiness: Readiness): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/readyz',
    tag: 'Operation',
    summary: 'Ready to trade',
    description:
      'How journal, database, chain and engine stand; 503 until all that trading needs is ready.',
    auth: anyone,
    weight: 0,
    answer: Type.Object({
      status: Type.String({ description: 'ready or not_ready', examples: ['ready'] }),
      journal: Type.Optional(partSchema),
      database: Type.Optional(partSchema),
      chain: Type.Optional(partSchema),
      engine: Type.Optional(partSchema),
      jobs: Type.Optional(partSchema),
    }),
    handle: async () => {
      const { isReady, parts } = await readiness.check();
      const described = [...parts].map(([name, { state, detail, lastSuccessAges: ages }]) => [
        name,
        {
          state,
          ...(detail === undefined ? {} : { detail }),
          ...(ages === undefined ? {} : { last_success_age_s: Object.fromEntries(ages) }),
        },
      ]);
      const status = isReady ? 'ready' : 'not_ready';
      const body: unknown = { status, ...Object.fromEntries(described) };
      return {
        kind: 'raw',
        status: isReady ? 200 : 503,
        contentType: jsonType,
        text: JSON.stringify(body),
      };
    },
  });
}
