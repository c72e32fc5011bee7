import type { ClientSession } from './client-watch.ts';

/**
 * A client whose first message selects its protocol: Binance's has `method`, the native one `type`.
 */
export class FirstMessageSession implements ClientSession {
  #session: ClientSession;
  #useBinance: (() => ClientSession) | null;

  constructor(native: ClientSession, useBinance: () => ClientSession) {
    this.#session = native;
    this.#useBinance = useBinance;
  }

  takeMessage(data: Buffer, isBinary: boolean): void {
    const speakBinance = this.#useBinance;
    this.#useBinance = null;
    if (speakBinance !== null && !isBinary && namesMethod(data)) {
      this.#session.end();
      this.#session = speakBinance();
    }
    this.#session.takeMessage(data, isBinary);
  }

  takePing(): void {
    this.#session.takePing();
  }

  takePong(): void {
    this.#session.takePong();
  }

  tick(): void {
    this.#session.tick();
  }

  end(): void {
    this.#session.end();
  }
}

function namesMethod(data: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'method');
  } catch {
    // Not JSON at all: the native protocol reports the error.
    return false;
  }
}
