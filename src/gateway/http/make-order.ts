import { type RequestDigest, RequestRepeatedError } from '../../application/ports/exchange.ts';
import type { Caller } from '../auth/caller.ts';
import type { Answer, Endpoint, EndpointRequest } from './endpoint.ts';
import {
  type AnswerParts,
  earlierAnswer,
  type OrderAnswer,
  repeatedAnswer,
  type Serialize,
  textAnswer,
} from './order-answer.ts';
import type { OrderInMaking, RepeatedOrders, SignedOrder } from './repeated-orders.ts';

export interface OrderRoute {
  readonly endpoint: Endpoint;
  readonly answers: AnswerParts;
  readonly repeated: RepeatedOrders;
}

type Request = EndpointRequest<unknown, unknown, unknown, Caller | null> & {
  digest?: RequestDigest | null;
};

/**
 * Makes a signed order once, however often and by whichever path it arrives; all get one answer.
 */
export async function makeOrderOnce(
  order: SignedOrder,
  request: Request,
  route: OrderRoute,
  serialize: Serialize,
): Promise<OrderAnswer> {
  const { endpoint, answers, repeated } = route;
  const known = repeated.find(order);
  if (known !== undefined) return repeatedAnswer(known, endpoint, answers);
  const pending = repeated.findPending(order.signature);
  if (pending !== undefined) return earlierAnswer(await pending);
  return makeOrder(order, request, route, serialize);
}

/**
 * Places the order of a signature that is new in this process; if the exchange has accepted it
 * before, returns the first answer if some process has it.
 */
export function makeOrder(
  order: SignedOrder,
  request: Request,
  route: OrderRoute,
  serialize: Serialize,
): Promise<OrderAnswer> {
  const { endpoint, answers, repeated } = route;
  const making = repeated.begin(order);
  request.digest = order.digest;
  // Callbacks, since the frame of an async function costs every order a kilobyte of garbage.
  const finish = (answer: Answer<unknown>): OrderAnswer => {
    const text = textAnswer(answer, endpoint, answers, serialize);
    making.finish(text);
    return text;
  };
  const fail = (error: unknown): Promise<OrderAnswer> => endFailed(making, error, route);
  try {
    return Promise.resolve(endpoint.handle(request)).then(finish).catch(fail);
  } catch (error) {
    return fail(error);
  }
}

async function endFailed(
  making: OrderInMaking,
  error: unknown,
  { endpoint, answers }: OrderRoute,
): Promise<OrderAnswer> {
  if (!(error instanceof RequestRepeatedError)) {
    making.fail(error);
    throw error;
  }
  const first = await making.recall();
  const answer = repeatedAnswer(first, endpoint, answers);
  if (first === null) making.forget(answer);
  else making.finish(answer);
  return answer;
}
