import { Violation } from './history.ts';

/** What an answer reports about the requested order. */
export type OrderVerdict =
  | { readonly kind: 'made'; readonly orderId: string }
  /** The exchange judged the order and refused it, which its journal shows. */
  | { readonly kind: 'rejected' }
  /** It was made before, and no process has the first answer. */
  | { readonly kind: 'repeated' }
  /** Nothing was done. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' };

/** What a replay of the journal shows of one client order id. */
export interface JournalOrder {
  /** Commands with this id. */
  count: number;
  /** Null: it was rejected. */
  orderId: string | null;
}

interface Told {
  orderId: string | null;
  isRejected: boolean;
  isRepeated: boolean;
  isUnknown: boolean;
  /** Requests that have not been answered yet. */
  waiting: number;
}

interface Sight {
  readonly orderId: string;
  readonly text: string;
}

/** What clients of the gateway were told of signed orders, judged by the journal at the end. */
export class OrderHistory {
  /** Orders that were sent again. */
  repeats = 0;
  readonly #told = new Map<string, Told>();
  /** What clients saw of each order, in an order that holds for each of them. */
  readonly #sights: Sight[] = [];

  send(id: string): void {
    if (this.#told.has(id)) this.repeats += 1;
    this.#of(id).waiting += 1;
  }

  /** O5: one signed order has one order id, however often it is sent. */
  hear(id: string, verdict: OrderVerdict): void {
    const told = this.#of(id);
    told.waiting -= 1;
    if (verdict.kind === 'rejected') told.isRejected = true;
    if (verdict.kind === 'repeated') told.isRepeated = true;
    if (verdict.kind === 'unknown') told.isUnknown = true;
    if (verdict.kind !== 'made') return;
    if (told.orderId !== null && told.orderId !== verdict.orderId) {
      throw new Violation('O5', `${id} became ${told.orderId} and ${verdict.orderId}`);
    }
    told.orderId = verdict.orderId;
  }

  /** The state of an order as its client saw it after everything that it saw before. */
  see(orderId: string, text: string): void {
    this.#sights.push({ orderId, text });
  }

  /** The journal holds each accepted order once, and nothing that was refused. */
  judge(journal: ReadonlyMap<string, JournalOrder>): void {
    for (const [id, told] of this.#told) {
      const { count, orderId } = journal.get(id) ?? { count: 0, orderId: null };
      const fail = (what: string): never => {
        throw new Violation('O5', `${id} ${what}; the journal has it ${count} times as ${orderId}`);
      };
      if (count > 1) fail('was sent');
      if (told.orderId !== null && told.orderId !== orderId) fail(`was made as ${told.orderId}`);
      if (told.isRejected && (count !== 1 || orderId !== null)) fail('was rejected');
      if (told.isRepeated && count !== 1) fail('was made before, it was said');
      const isRefused = told.orderId === null && !told.isRejected && !told.isRepeated;
      const isKnown = !told.isUnknown && told.waiting === 0;
      if (isRefused && isKnown && count > 0) fail('was always refused');
    }
  }

  /**
   * O6: each state that was seen is one that the order had, no earlier than the one seen before.
   */
  judgeSights(states: ReadonlyMap<string, readonly string[]>): void {
    const reached = new Map<string, number>();
    for (const { orderId, text } of this.#sights) {
      const known = states.get(orderId) ?? [];
      const from = reached.get(orderId) ?? 0;
      const at = known.indexOf(text, from);
      if (at < 0) {
        const isOld = known.includes(text);
        const what = isOld ? 'a state older than one seen before' : 'a state that it never had';
        throw new Violation('O6', `order ${orderId} was shown in ${what}: ${text}`);
      }
      reached.set(orderId, at);
    }
  }

  #of(id: string): Told {
    let told = this.#told.get(id);
    if (told === undefined) {
      told = {
        orderId: null,
        isRejected: false,
        isRepeated: false,
        isUnknown: false,
        waiting: 0,
      };
      this.#told.set(id, told);
    }
    return told;
  }
}
