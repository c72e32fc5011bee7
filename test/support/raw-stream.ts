import { WebSocket } from 'ws';

export type RawMessage = Readonly<Record<string, unknown>>;

/** A connection in Binance's manner: messages in their order, as they came. */
export class RawStream {
  readonly webSocket: WebSocket;
  readonly opened: Promise<void>;
  readonly #messages: RawMessage[] = [];
  #wake: () => void = () => {};

  constructor(url: string) {
    this.webSocket = new WebSocket(url);
    this.opened = new Promise((resolve, reject) => {
      this.webSocket.once('open', resolve);
      this.webSocket.once('error', reject);
    });
    this.webSocket.on('message', (data: Buffer) => {
      this.#messages.push(JSON.parse(data.toString()) as RawMessage);
      this.#wake();
    });
  }

  send(message: unknown): void {
    this.webSocket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Takes the next message that fits, and drops those before it. */
  async next(fits: (message: RawMessage) => boolean = () => true): Promise<RawMessage> {
    for (;;) {
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
