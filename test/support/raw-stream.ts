import { WebSocket } from 'ws';
import {
  type DocumentedMarkets,
  isMethodAnswerDocumented,
  isStreamMessageDocumented,
} from './documented-streams.ts';

export type RawMessage = Readonly<Record<string, unknown>>;

/** A connection in Binance's format: messages in the order in which they arrived. */
export class RawStream {
  readonly webSocket: WebSocket;
  readonly opened: Promise<void>;
  readonly #messages: RawMessage[] = [];
  #wake: () => void = () => {};
  readonly #isOrderEntry: boolean;
  readonly #markets: DocumentedMarkets;
  readonly #methods = new Map<unknown, string>();
  /** A message that the AsyncAPI document does not know. */
  #undocumented: string | null = null;

  constructor(url: string) {
    this.#isOrderEntry = /\/ws-f?api\//.test(url);
    this.#markets = /\/streams\/spot|\/ws-api/.test(url) ? 'spot' : 'futures';
    this.webSocket = new WebSocket(url);
    this.opened = new Promise((resolve, reject) => {
      this.webSocket.once('open', resolve);
      this.webSocket.once('error', reject);
    });
    this.webSocket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as RawMessage;
      if (!this.#isDocumented(message)) this.#undocumented ??= data.toString();
      this.#messages.push(message);
      this.#wake();
    });
  }

  #isDocumented(message: RawMessage): boolean {
    if (!this.#isOrderEntry) return isStreamMessageDocumented(message, this.#markets);
    const method = this.#methods.get(message['id']) ?? null;
    return isMethodAnswerDocumented(method, message, this.#markets);
  }

  send(message: unknown): void {
    const { id, method } = Object(message) as RawMessage;
    if (typeof method === 'string') this.#methods.set(id, method);
    this.webSocket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Takes the next message that fits, and drops those before it. */
  async next(fits: (message: RawMessage) => boolean = () => true): Promise<RawMessage> {
    for (;;) {
      if (this.#undocumented !== null) throw new Error(`undocumented: ${this.#undocumented}`);
      let message = this.#messages.shift();
      while (message !== undefined) {
        if (fits(message)) return message;
        message = this.#messages.shift();
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async ask(message: { readonly id: number | string } & RawMessage): Promise<RawMessage> {
    this.send(message);
    return this.next(({ id }) => id === message.id);
  }

  close(): void {
    this.webSocket.terminate();
  }
}
