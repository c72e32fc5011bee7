import Schema from 'typebox/schema';
import { fapiRoutes } from '../../src/gateway/http/fapi/routes.ts';
import { controlReplies } from '../../src/gateway/ws/futures/control-schemas.ts';
import { marketStreams } from '../../src/gateway/ws/futures/event-schemas.ts';
import { userEvents } from '../../src/gateway/ws/futures/user-event-schemas.ts';
import { describeMethods } from '../../src/gateway/ws/order-entry/method-schemas.ts';
import { strictly } from './documented-interface.ts';

// Holds messages in Binance's manner against the schemas of the AsyncAPI document.

/** The endpoints of /fapi, to be read and not called. */
export const fapiEndpoints = fapiRoutes({
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
const isEvent = checkerOf([
  ...Object.values(marketStreams).map(({ payload }) => payload),
  ...Object.values(userEvents).map(({ payload }) => payload),
]);
const methods = describeMethods(fapiEndpoints);
const isMethodError = checkerOf([methods.error]);
const responses = new Map(
  methods.all.map(({ method, response }) => [method, checkerOf([response])] as const),
);

/** Whether the document knows such a message: an answer, an event, or one in its wrapper. */
export function isStreamMessageDocumented(message: unknown): boolean {
  if (isReply(message)) return true;
  const { stream, data } = message as { readonly stream?: unknown; readonly data?: unknown };
  return isEvent(typeof stream === 'string' ? data : message);
}

/** Whether the document knows such an answer of the method. */
export function isMethodAnswerDocumented(method: string | null, message: unknown): boolean {
  if (isMethodError(message)) return true;
  const check = method === null ? undefined : responses.get(method);
  return check?.(message) ?? false;
}
