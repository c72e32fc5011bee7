import { creditSpotBalance } from '../application/admin/credit-spot-balance.ts';
import { EngineBusyError } from '../application/ports.ts';
import { cancelAllSpotOrders } from '../application/trading/cancel-all-spot-orders.ts';
import type { SpotOrderRequest } from '../application/trading/judge-spot-order.ts';
import { placeSpotOrder } from '../application/trading/place-spot-order.ts';
import { type Amount, toAmount } from '../domain/amount.ts';
import type { Address } from '../domain/identifiers.ts';
import type { SpotMarket } from '../domain/spot-market.ts';
import type { DemoPorts } from './start-demo.ts';

/** One demo account in one market, trading through the use cases that every user goes through. */
export class DemoTrader {
  readonly #ports: DemoPorts;
  readonly #address: Address;
  readonly #market: SpotMarket;

  constructor(ports: DemoPorts, address: Address, market: SpotMarket) {
    this.#ports = ports;
    this.#address = address;
    this.#market = market;
  }

  /** Keeps both tokens at this much or more. */
  async topUp(quoteAmount: Amount, baseAmount: Amount): Promise<void> {
    const { baseToken, quoteToken, baseTokenId, quoteTokenId } = this.#market;
    await this.#topUp(quoteToken, this.#available(quoteTokenId), quoteAmount);
    await this.#topUp(baseToken, this.#available(baseTokenId), baseAmount);
  }

  /** Refusals are part of a living market: a quote may cross, a balance may run out. */
  async place(
    terms: Pick<SpotOrderRequest, 'side' | 'type'> & Partial<SpotOrderRequest>,
  ): Promise<void> {
    const request: SpotOrderRequest = {
      symbol: this.#market.symbol,
      timeInForce: null,
      price: null,
      quantity: null,
      quoteQuantity: null,
      clientOrderId: null,
      ...terms,
    };
    await skipWhereBusy(() => placeSpotOrder(this.#ports, this.#address, request));
  }

  async cancelAll(): Promise<void> {
    const { symbol } = this.#market;
    await skipWhereBusy(() => cancelAllSpotOrders(this.#ports, this.#address, symbol));
  }

  #available(tokenId: number): bigint {
    return this.#ports.exchange.peek((view) => {
      const accountId = view.findAccount(this.#address);
      if (accountId === null) return 0n;
      const balances = view.listBalances(accountId);
      return balances.find((balance) => balance.tokenId === tokenId)?.available ?? 0n;
    });
  }

  async #topUp(token: string, available: bigint, wanted: Amount): Promise<void> {
    if (available * 2n >= wanted) return;
    const amount = toAmount(wanted - available);
    const credit = { address: this.#address, token, amount, reason: 'demo', reference: null };
    await skipWhereBusy(() =>
      creditSpotBalance({ ...this.#ports, areTestCreditsEnabled: true }, credit),
    );
  }
}

// Whoever else trades comes first; the demo tries again with its next step.
async function skipWhereBusy(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof EngineBusyError)) throw error;
  }
}
