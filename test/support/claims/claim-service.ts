import { randomBytes } from 'node:crypto';
import type { ChainInfo } from '../../../src/application/ports/chain.ts';
import type { ChainEvent, HexText } from '../../../src/application/ports/chain-ledger.ts';
import { DatabaseError } from '../../../src/application/ports/database.ts';
import type { ClaimStore } from '../../../src/application/referral/claim-ports.ts';
import { assert } from '../../../src/domain/assert.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../../src/domain/micro-usdt.ts';
import { chainRoutes } from '../../../src/gateway/http/chain/routes.ts';
import { claimRoutes } from '../../../src/gateway/http/referral/claim-routes.ts';
import { referralRoutes } from '../../../src/gateway/http/referral/routes.ts';
import { ReferralCaller } from '../referral-service.ts';
import { nextAddress } from '../spot-fixtures.ts';
import { type RouteParts, SpotService } from '../spot-service.ts';
import { addEarnings } from './earning-rows.ts';
import { FakeRewardChain } from './fake-reward-chain.ts';

/** Claims over HTTP with the real database; the chain gives the answers that a test sets. */
export class ClaimService {
  readonly chain = new FakeRewardChain();
  /** Writes of claims fail. */
  isClaimStoreDown = false;
  info: ChainInfo = {
    chainId: 31_337,
    rewardRouter: null,
    referralRebate: null,
    spotVault: null,
    usdt: null,
    df: null,
    rpcUrl: null,
    explorerUrl: null,
  };
  #service: SpotService | null = null;
  #block = 0;
  #seconds = 1_767_571_200;
  #transactions = 0;

  static async start(): Promise<ClaimService> {
    const claims = new ClaimService();
    claims.#service = await SpotService.start({ routes: (parts) => claims.#routes(parts) });
    await claims.service.services.chain.ledger.startAfter({ number: 0, hash: hashOf(0) });
    return claims;
  }

  get service(): SpotService {
    assert(this.#service !== null, 'the service was started');
    return this.#service;
  }

  get referral(): ReferralCaller {
    return new ReferralCaller(this.service);
  }

  async close(): Promise<void> {
    await this.service.close();
  }

  /** An agent with a trader, and commission that waits for its settlement. */
  async nextEarner(...commissions: readonly bigint[]): Promise<Address> {
    const agent = await this.referral.nextAgent();
    await this.referral.nextTrader(agent);
    await this.earn(agent.address, ...commissions);
    return agent.address;
  }

  /** In 10^-6 USDT each. */
  async earn(account: Address, ...commissions: readonly bigint[]): Promise<void> {
    await this.#earn(account, commissions, {});
  }

  /** The same by a trade of that time, in milliseconds since 1970. */
  async earnAt(time: number, account: Address, commission: bigint): Promise<void> {
    await this.#earn(account, [commission], { time });
  }

  async #earn(
    account: Address,
    commissions: readonly bigint[],
    more: { readonly time?: number },
  ): Promise<void> {
    const [beneficiary, trader] = [await this.#idOf(account), await this.#idOf(nextAddress())];
    const rows = commissions.map((commission) => ({
      beneficiary,
      trader,
      commission: toMicroUsdt(commission),
      ...more,
    }));
    await addEarnings(this.service.database.rewards, rows);
  }

  /** All commission that waits is shown by the contract and counted. */
  async settleAll(): Promise<void> {
    const { exchange, services } = this.service;
    await services.barrier.waitFor(exchange.durableSequence);
    const { settlements } = services.chain;
    await settlements.planBatches(100);
    const batches = await settlements.listOpenBatches();
    const items = batches.flatMap((batch) => batch.items);
    await this.count(
      items.map(({ account, total }) => ({
        type: 'rewardSettled',
        account,
        settledTotal: total,
        ...this.nextPlace(),
      })),
    );
  }

  /** The contract pays: its nonce rises, and the event is counted unless that is left for later. */
  async redeem(
    account: Address,
    amount: bigint,
    { isCounted = true }: { readonly isCounted?: boolean } = {},
  ): Promise<string> {
    const nonce = this.chain.nonces.get(account) ?? 0;
    this.chain.nonces.set(account, nonce + 1);
    const place = this.nextPlace();
    const event = { type: 'rewardRedeemed', account, nonce, ...place } as const;
    if (isCounted) await this.count([{ ...event, amount: toMicroUsdt(amount) }]);
    return place.transactionHash;
  }

  /** Counts a block with the events, some seconds after the one before. */
  async count(events: readonly ChainEvent[], seconds = this.#seconds + 12): Promise<void> {
    this.#block += 1;
    this.#seconds = seconds;
    const block = { number: this.#block, hash: hashOf(this.#block), seconds, events };
    const { ledger } = this.service.services.chain;
    const parked = await ledger.countBlocks([block]);
    assert(parked.length === 0, `no event is parked: ${parked[0]?.error}`);
    const proven = (await ledger.listOverdue()).map(({ contract, account }) => {
      return { contract, account, nonce: this.chain.nonces.get(account) ?? 0 };
    });
    await ledger.expire(block, proven);
  }

  get block(): number {
    return this.#block;
  }

  /** The chain goes back behind a block. */
  async rollBackTo(number: number): Promise<void> {
    await this.service.services.chain.ledger.rollBackTo({ number, hash: hashOf(number) });
    this.#block = number;
  }

  nextPlace(): { readonly transactionHash: HexText; readonly logIndex: number } {
    this.#transactions += 1;
    return { transactionHash: hashOf(1_000_000 + this.#transactions), logIndex: 0 };
  }

  async #idOf(account: Address): Promise<number> {
    const { exchange, services } = this.service;
    await exchange.submit({ type: 'openAccount', address: account });
    await services.barrier.waitFor(exchange.durableSequence);
    const id = exchange.peek((view) => view.findAccount(account));
    assert(id !== null, 'the account was opened');
    return id;
  }

  #routes({ exchange, barrier, services, now }: RouteParts) {
    const minimumClaim: MicroUsdt = toMicroUsdt(10_000_000n);
    const ports = {
      exchange,
      barrier,
      now,
      minimumClaim,
      referral: services.referral,
      referralReader: services.referralReader,
      claims: this.#guard(services.claims),
      failedSettlements: services.failedSettlements,
      rewardSigner: this.chain,
      onChainReader: this.chain,
      chainInfo: () => this.info,
      randomBytes: (count: number) => randomBytes(count),
      log: { warn: (_details: object, message: string) => this.service.warnings.push(message) },
    };
    return [referralRoutes(ports), claimRoutes(ports), chainRoutes(ports)];
  }

  // Writes alone: the database can go away between a read and a write.
  #guard(claims: ClaimStore): ClaimStore {
    const writes = ['create', 'erase', 'retry', 'recordVoucher'];
    return new Proxy(claims, {
      get: (store, name: keyof ClaimStore) => {
        if (this.isClaimStoreDown && writes.includes(name)) {
          return async () => {
            throw new DatabaseError('the database is down');
          };
        }
        return (store[name] as (...values: unknown[]) => unknown).bind(store);
      },
    });
  }
}

function hashOf(number: number): HexText {
  return `0x${number.toString(16).padStart(64, '0')}`;
}
