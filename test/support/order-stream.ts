import type { Trader } from '../../src/client/trader.ts';

const lanesDefault = 32;
const path = '/api/v1/spot/orders';

/** Sends bids, each at its own price, until it is stopped or the service is gone. */
export class OrderStream {
  /** The prices of the orders that were acknowledged, by their ids. */
  readonly acknowledged = new Map<string, string>();
  /** Answers other than yes and later. */
  readonly refusals = new Set<string>();
  sent = 0;
  readonly #trader: Trader;
  readonly #quantity: string;
  readonly #priceFrom: number;
  readonly #tif: string;
  readonly #lanes: number;
  #isStopped = false;

  /**
   * An account has room for only that many open orders: long streams end theirs at once, by ioc.
   */
  constructor(
    trader: Trader,
    quantity = '0.01',
    priceFrom = 1000,
    tif: 'gtc' | 'ioc' = 'gtc',
    lanes = lanesDefault,
  ) {
    this.#trader = trader;
    this.#quantity = quantity;
    this.#priceFrom = priceFrom;
    this.#tif = tif;
    this.#lanes = lanes;
  }

  async run(onAcknowledged: (count: number) => void): Promise<void> {
    const lane = async (): Promise<void> => {
      while (!this.#isStopped && (await this.#sendOne())) onAcknowledged(this.acknowledged.size);
    };
    await Promise.all(Array.from({ length: this.#lanes }, lane));
  }

  /**
   * Runs until that many orders are acknowledged.
   * @throws Error with the refusals if the service ends the stream before
   */
  async runUntil(acknowledged: number): Promise<void> {
    await this.run((count) => {
      if (count >= acknowledged) this.stop();
    });
    const count = this.acknowledged.size;
    if (count >= acknowledged) return;
    throw new Error(`${count} of ${acknowledged} orders: ${[...this.refusals].join('\n')}`);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #sendOne(): Promise<boolean> {
    this.sent += 1;
    const price = (this.#priceFrom + this.sent / 100).toFixed(2);
    const terms = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', tif: this.#tif };
    const body = { ...terms, price, quantity: this.#quantity };
    try {
      const { status, text } = await this.#trader.send({ method: 'POST', path, body });
      if (status !== 200) {
        this.refusals.add(text);
        return false;
      }
      this.acknowledged.set((JSON.parse(text) as { order_id: string }).order_id, price);
      return true;
    } catch {
      // The connection is gone with the process: nothing was acknowledged.
      return false;
    }
  }
}
