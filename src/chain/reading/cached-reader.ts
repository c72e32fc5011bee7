import type {
  OnChainReader,
  OperatorStatus,
  TraderReferral,
  UserRebate,
} from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import type { ReadCache } from './read-cache.ts';

/** A reader whose answers are at most a few seconds old. */
export class CachedReader implements OnChainReader {
  readonly #reader: OnChainReader;
  readonly #cache: ReadCache;

  constructor(reader: OnChainReader, cache: ReadCache) {
    this.#reader = reader;
    this.#cache = cache;
  }

  async loadUserRebate(address: Address): Promise<UserRebate> {
    return this.#cache.read(`rebate ${address}`, () => this.#reader.loadUserRebate(address));
  }

  async loadTraderReferral(address: Address): Promise<TraderReferral> {
    return this.#cache.read(`referral ${address}`, () => this.#reader.loadTraderReferral(address));
  }

  async loadClaimed(address: Address): Promise<MicroUsdt> {
    return this.#cache.read(`claimed ${address}`, () => this.#reader.loadClaimed(address));
  }

  async loadOperatorStatus(): Promise<OperatorStatus> {
    return this.#cache.read('operator', () => this.#reader.loadOperatorStatus());
  }
}
