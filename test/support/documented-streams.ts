import Schema from 'typebox/schema';
import { binanceSpotRoutes } from '../../src/gateway/http/binance-spot/routes.ts';
import { fapiRoutes } from '../../src/gateway/http/fapi/routes.ts';
import { controlReplies } from '../../src/gateway/ws/futures/control-schemas.ts';
import { marketStreams } from '../../src/gateway/ws/futures/event-schemas.ts';
import { userEvents } from '../../src/gateway/ws/futures/user-event-schemas.ts';
import {
  describeMethods,
  describeSpotMethods,
} from '../../src/gateway/ws/order-entry/method-schemas.ts';
import {
  spotMarketStreams,
  spotUserEvents,
  subscribedEvent,
} from '../../src/gateway/ws/spot/spot-event-schemas.ts';
import { strictly } from './documented-interface.ts';

// Checks messages in Binance's format against the schemas of the AsyncAPI document.

/** The endpoints of /fapi, to be read and not called. */
export const fapiEndpoints = fapiRoutes({
  ports: {} as never,
  limits: {} as never,
  listenKeys: {} as never,
  isListenKeyUnsigned: false,
}).endpoints;

/** The endpoints of /api/v3, to be read and not called. */
export const spotEndpoints = binanceSpotRoutes({
  ports: {} as never,
  limits: {} as never,
  listenKeys: {} as never,
  isListenKeyUnsigned: false,
}).endpoints;

type Checker = (value: unknown) => boolean;

function checkerOf(schemas: readonly unknown[]): Checker {
  const compiled = schemas.map((schema) => Schema.Compile(strictly(schema) as Schema.XSchema));
  return (value) => compiled.some((each) => each.Check(value));
}

const replies = Object.entries(controlReplies).filter(([name]) => name !== 'combined');
const isReply = checkerOf(replies.map(([, { schema }]) => schema));
type Described = Readonly<Record<string, { readonly payload: unknown }>>;
const eventsOf = (...all: readonly Described[]): Checker =>
  checkerOf(all.flatMap((each) => Object.values(each).map(({ payload }) => payload)));

interface DocumentedSide {
  readonly isEvent: Checker;
  readonly isError: Checker;
  readonly responses: ReadonlyMap<string, Checker>;
}

function sideOf(isEvent: Checker, methods: ReturnType<typeof describeMethods>): DocumentedSide {
  const responses = new Map(
    methods.all.map(({ method, response }) => [method, checkerOf([response])] as const),
  );
  return { isEvent, isError: checkerOf([methods.error]), responses };
}

const sides = {
  futures: sideOf(eventsOf(marketStreams, userEvents), describeMethods(fapiEndpoints)),
  spot: sideOf(eventsOf(spotMarketStreams, spotUserEvents), describeSpotMethods(spotEndpoints)),
} as const;
const isSubscribedEvent = checkerOf([subscribedEvent]);

export type DocumentedMarkets = keyof typeof sides;

/** Whether the document knows such a message: an answer, an event, or one in its wrapper. */
export function isStreamMessageDocumented(message: unknown, markets: DocumentedMarkets): boolean {
  if (isReply(message)) return true;
  const { stream, data } = message as { readonly stream?: unknown; readonly data?: unknown };
  return sides[markets].isEvent(typeof stream === 'string' ? data : message);
}

/** Whether the document knows such an answer of the method, or such an event beside it. */
export function isMethodAnswerDocumented(
  method: string | null,
  message: unknown,
  markets: DocumentedMarkets,
): boolean {
  const { isError, responses } = sides[markets];
  if (isError(message) || (markets === 'spot' && isSubscribedEvent(message))) return true;
  const check = method === null ? undefined : responses.get(method);
  return check?.(message) ?? false;
}
