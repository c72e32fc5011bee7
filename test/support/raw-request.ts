import { connect, type Socket } from 'node:net';

/** A bare TCP connection: sends what a client library never would. */
export class RawConnection {
  readonly #socket: Socket;
  received = '';
  isEnded = false;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
    });
    this.#socket.on('close', () => {
      this.isEnded = true;
    });
    // A reset is one of the ways in which a server ends a connection.
    this.#socket.on('error', () => undefined);
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  /** Resolves with all that was received, once the server has ended the connection. */
  async ended(): Promise<string> {
    if (!this.isEnded) await new Promise((resolve) => this.#socket.once('close', resolve));
    return this.received;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Sends the text and returns all that comes back before the server ends the connection. */
export async function exchangeRaw(port: number, text: string): Promise<string> {
  const connection = new RawConnection(port);
  connection.send(text);
  return connection.ended();
}
