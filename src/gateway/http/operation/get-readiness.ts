import { Type } from 'typebox';
import { anyone, defineEndpoint, type Endpoint, type RawAnswer } from '../endpoint.ts';
import { timeText } from '../schema.ts';
import { jsonType } from '../send-error.ts';
import type { Readiness, ServiceState } from './readiness.ts';

const partFields = {
  state: Type.String({ description: 'The state of the component', examples: ['ready'] }),
  since: timeText('When this process first saw the component in this state'),
  detail: Type.Optional(
    Type.String({
      description: 'Why it is not ready, or what needs attention',
      examples: ['the node has not answered recently'],
    }),
  ),
};

const part = (description: string) => Type.Optional(Type.Object(partFields, { description }));

const cluster = Type.Optional(
  Type.Object(
    {
      ...partFields,
      epoch: Type.Integer({
        description: 'The epoch of the newest owner that it knows',
        examples: [7],
      }),
      position: Type.Integer({
        description: 'The last applied entry of the shared log',
        examples: [812],
      }),
      sequence: Type.Integer({ description: 'The last applied command', examples: [20_144] }),
      lag_entries: Type.Integer({
        description: 'Number of entries of the shared log that it lacks',
        examples: [0],
      }),
      agreement_age_ms: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description:
          'Seconds for which its position in the log has not been found; null if it has never ' +
          'been found',
        examples: [120],
      }),
    },
    { description: 'Its role among several processes' },
  ),
);

const jobs = Type.Optional(
  Type.Object(
    {
      ...partFields,
      last_success_age_s: Type.Unsafe<Readonly<Record<string, number | null>>>({
        type: 'object',
        description: 'Seconds since each job last succeeded, null before the first time',
        examples: [{ 'refresh-daily-leaderboard': 42 }],
      }),
    },
    { description: 'The timed jobs' },
  ),
);

const readySince = { state: 'ready', since: '2026-01-05T00:00:00.000Z' };
const exampleReadiness = {
  status: 'ready',
  journal: readySince,
  engine: readySince,
  database: readySince,
  chain: readySince,
  solvency: readySince,
  jobs: { ...readySince, last_success_age_s: { 'refresh-daily-leaderboard': 42 } },
};

// Load balancers call often and must never be refused, so the call has no weight. Anyone else can
// call as often, so the parts are probed once a second for all callers together.
const freshMs = 1_000;

interface ReadinessKind {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isReady: (state: ServiceState) => boolean;
}

const kinds: readonly ReadinessKind[] = [
  {
    path: '/readyz',
    summary: 'Ready to trade',
    description:
      'The state of journal, database, chain and engine, at most a second old; 503 until ' +
      'everything that trading needs is ready.',
    isReady: ({ isReady }) => isReady,
  },
  {
    path: '/readyz/read',
    summary: 'Ready to serve reads',
    description: 'The same parts; 503 until reads succeed, whether or not orders are accepted.',
    isReady: ({ canRead }) => canRead,
  },
];

export function readinessEndpoints(readiness: Readiness, now: () => number): readonly Endpoint[] {
  const check = sharedFor(freshMs, now, () => readiness.check(now()));
  return kinds.map(({ path, summary, description, isReady }) =>
    defineEndpoint({
      method: 'GET',
      path,
      tag: 'Operation',
      summary,
      description,
      auth: anyone,
      weight: 0,
      answer: readinessAnswer,
      handle: async () => {
        const state = readiness.refresh(await check(), now());
        return answerOf(isReady(state), state);
      },
    }),
  );
}

const readinessAnswer = Type.Object(
  {
    status: Type.String({ description: 'ready or not_ready', examples: ['ready'] }),
    journal: part('The journal of accepted commands'),
    database: part('History, profiles, keys'),
    chain: part('The node and the contracts'),
    engine: part('Orders and balances'),
    solvency: part('Whether the contracts hold what is owed'),
    jobs,
    cluster,
    start: part('What the start still waits for; absent once the service has started'),
  },
  { examples: [exampleReadiness] },
);

function answerOf(isReady: boolean, { parts }: ServiceState): RawAnswer {
  const described = [...parts].map(([name, { state, since, detail, ...more }]) => [
    name,
    {
      state,
      since: new Date(since).toISOString(),
      ...(detail === undefined ? {} : { detail }),
      ...(more.lastSuccessAges === undefined
        ? {}
        : { last_success_age_s: Object.fromEntries(more.lastSuccessAges) }),
      ...more.facts,
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
}

/** Computes an answer at most once per interval; callers in between share it. */
function sharedFor<T>(lifeMs: number, now: () => number, make: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let madeAt = 0;
  return () => {
    const age = now() - madeAt;
    // If the clock was set back, the answer must not be kept.
    if (answer === null || age < 0 || age >= lifeMs) {
      madeAt = now();
      answer = make();
    }
    return answer;
  };
}
