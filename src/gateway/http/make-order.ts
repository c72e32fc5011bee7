import type { Caller, Endpoint, EndpointRequest } from './endpoint.ts';
import {
  type AnswerParts,
  type OrderAnswer,
  repeatedAnswer,
  type Serialize,
  textAnswer,
} from './order-answer.ts';
import type { RepeatedOrders, SignedOrder } from './repeated-orders.ts';

export interface OrderRoute {
  readonly endpoint: Endpoint;
  readonly answers: AnswerParts;
  readonly repeated: RepeatedOrders;
}

type Request = EndpointRequest<unknown, unknown, unknown, Caller | null>;

/**
 * Makes the order of a signature that is new here; where another process has had it, its answer is
 * that one's.
 */
export async function makeOrder(
  order: SignedOrder,
  request: Request,
  { endpoint, answers, repeated }: OrderRoute,
  serialize: Serialize,
): Promise<OrderAnswer> {
  const making = repeated.begin(order);
  try {
    const first = making.isShared ? await making.claim() : 'first';
    const answer =
      first === 'first'
        ? textAnswer(await endpoint.handle(request), endpoint, answers, serialize)
        : repeatedAnswer(first, endpoint, answers);
    making.finish(answer);
    return answer;
  } catch (error) {
    making.fail(error);
    throw error;
  }
}
