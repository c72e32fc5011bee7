import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type {
  ClaimPorts,
  SignedClaimView,
} from '../../../src/application/referral/claim-use-case.ts';
import { createClaim } from '../../../src/application/referral/create-claim.ts';
import { rewardRouterAbi } from '../../../src/chain/abi/reward-router-abi.ts';
import type { DeployedAddresses } from '../../../src/chain/chain-addresses.ts';
import { type ChainService, createChainService } from '../../../src/chain/chain-service.ts';
import { minedReceipt } from '../../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../../src/chain/evm-values.ts';
import { DatabaseChainBooks } from '../../../src/database/chain/chain-books.ts';
import { DatabaseChainLedger } from '../../../src/database/chain/chain-ledger.ts';
import { DatabaseContractStore } from '../../../src/database/chain/contract-store.ts';
import { DatabaseHaltStore } from '../../../src/database/chain/halt-store.ts';
import { DatabaseTransactionStore } from '../../../src/database/chain/transaction-store.ts';
import { vaultProgram } from '../../../src/database/chain/vault-program.ts';
import { DatabaseClaimStore } from '../../../src/database/claims/claim-store.ts';
import { DatabaseRegisterQueue } from '../../../src/database/claims/register-queue.ts';
import { rewardProgram } from '../../../src/database/claims/reward-program.ts';
import { DatabaseSettlementStore } from '../../../src/database/claims/settlement-store.ts';
import type { DatabasePool } from '../../../src/database/database-pool.ts';
import { DatabaseReferralReader } from '../../../src/database/referral/referral-reader.ts';
import type { Address, TimestampMs } from '../../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../../src/domain/micro-usdt.ts';
import { createLogger } from '../../../src/observability/log.ts';
import { newWallet, startTestChain, type TestChain } from '../chain/test-chain.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { expectSumsToMatch } from '../referral-sums.ts';
import { addAccount, addEarnings } from './earning-rows.ts';

export interface Earner {
  readonly address: Address;
  readonly wallet: PrivateKeyAccount;
  readonly accountId: number;
}

interface StackTerms {
  readonly confirmations: number;
  /** How long a call of the node may take. */
  readonly timeoutMs: number;
}

/** Commission, claims and chain: PostgreSQL, a node behind a faulty connection, no exchange. */
export class RewardStack {
  readonly chain: TestChain;
  readonly #database: TestDatabase;
  readonly #confirmations: number;
  readonly #timeoutMs: number;
  #service: ChainService;
  #accounts = 0;
  readonly #earners: Earner[] = [];
  /** Those that the service is pointed at. */
  contracts: DeployedAddresses;
  /** From which the service derives its signers, from its next start on. */
  signerKey: string;

  private constructor(chain: TestChain, database: TestDatabase, terms: StackTerms) {
    this.chain = chain;
    this.contracts = chain.contracts;
    this.signerKey = chain.signerKey;
    this.#database = database;
    this.#confirmations = terms.confirmations;
    this.#timeoutMs = terms.timeoutMs;
    this.#service = this.#createService();
  }

  static async start({ confirmations = 0, timeoutMs = 60_000 } = {}): Promise<RewardStack> {
    const [chain, database] = await Promise.all([startTestChain(), openTestDatabase()]);
    return new RewardStack(chain, database, { confirmations, timeoutMs });
  }

  async close(): Promise<void> {
    await this.#service.stop();
    await this.chain.close();
    await this.#database.close();
  }

  get pool(): DatabasePool {
    return this.#database.database.rewards;
  }

  get service(): ChainService {
    return this.#service;
  }

  get claims(): DatabaseClaimStore {
    return new DatabaseClaimStore(this.pool);
  }

  /** What is in memory is lost. */
  async restart(): Promise<void> {
    await this.#service.stop();
    this.#service = this.#createService();
  }

  async nextEarner(): Promise<Earner> {
    const { account: wallet, address } = await newWallet(this.chain);
    this.#accounts += 2;
    const accountId = this.#accounts;
    await addAccount(this.pool, accountId, address);
    const trader = `0x${accountId.toString(16).padStart(40, 'd')}` as Address;
    await addAccount(this.pool, accountId - 1, trader);
    const earner = { address, wallet, accountId };
    this.#earners.push(earner);
    return earner;
  }

  /** In 10^-6 USDT each. */
  async earn({ accountId }: Earner, ...commissions: readonly bigint[]): Promise<void> {
    const rows = commissions.map((commission) => ({
      beneficiary: accountId,
      trader: accountId - 1,
      commission: toMicroUsdt(commission),
    }));
    await addEarnings(this.pool, rows);
  }

  claim(earner: Earner): ReturnType<typeof createClaim> {
    return createClaim(this.claimPorts(), earner.address);
  }

  async claimed(earner: Earner): Promise<SignedClaimView> {
    const outcome = await this.claim(earner);
    if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.refusal}`);
    return outcome.value;
  }

  claimPorts(): ClaimPorts {
    return {
      claims: this.claims,
      rewardSigner: this.#service.rewardSigner,
      referralReader: new DatabaseReferralReader(this.pool),
      minimumClaim: toMicroUsdt(10_000_000n),
      randomBytes: (count) => randomBytes(count),
      now: () => Date.now() as TimestampMs,
      log: createLogger('silent'),
      // Claims themselves ask nothing of the engine.
      exchange: null as never,
      barrier: null as never,
    };
  }

  /** The earner's wallet submits the signature, past the faulty connection. */
  async redeem({ wallet }: Earner, voucher: Voucher): Promise<Hex> {
    const { client, contracts } = this.chain;
    const hash = await client.writeContract({
      account: wallet,
      chain: null,
      address: toHexAddress(contracts.rewardRouter),
      abi: rewardRouterAbi,
      functionName: 'redeemReward',
      args: [BigInt(voucher.amount), BigInt(voucher.deadline), voucher.signature as Hex],
    });
    // An accepted transaction is not mined yet, even if blocks are made at once.
    if (await client.getAutomine()) {
      await minedReceipt(client, hash);
    }
    return hash;
  }

  /** One run of each of the service's jobs; answers what failed. */
  async work(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const job of [() => this.service.settleRewards(), () => this.service.pollEvents()]) {
      await job().catch((error: unknown) => failures.push(error));
    }
    return failures;
  }

  /** Works without faults until nothing is left to do. */
  async calmDown(): Promise<void> {
    this.chain.proxy.setRule(null);
    await this.chain.client.setAutomine(true);
    for (let round = 0; round < 8; round += 1) {
      await this.chain.client.mine({ blocks: this.#confirmations + 1 });
      await this.service.settleRewards();
      await this.service.pollEvents();
      if (await this.#isCalm()) return;
    }
    throw new Error('the stack does not come to rest');
  }

  /** The books of both sides never contradict each other, whatever is in progress. */
  async checkBooks(): Promise<void> {
    await expectSumsToMatch(this.pool);
    for (const earner of this.#earners) {
      const { earned, synced, claimed, redeemed, successes } = await this.loadBooks(earner);
      const onChain = await this.loadChain(earner);
      expect(claimed).toBe(redeemed);
      expect(claimed).toBe(successes);
      expect(synced <= onChain.settled && onChain.settled <= earned).toBe(true);
      expect(redeemed <= onChain.claimed && onChain.claimed <= onChain.settled).toBe(true);
      expect(onChain.wallet).toBe(onChain.claimed);
    }
  }

  /** At rest both sides hold the same. */
  async checkRest(): Promise<void> {
    await this.checkBooks();
    for (const earner of this.#earners) {
      const { earned, synced, redeemed, redemptions } = await this.loadBooks(earner);
      const { settled, claimed, nonce } = await this.loadChain(earner);
      expect({ settled, claimed, nonce }).toEqual({
        settled: earned,
        claimed: redeemed,
        nonce: redemptions,
      });
      expect(synced).toBe(earned);
    }
  }

  async loadChain({ address }: Earner) {
    const { client, contracts } = this.chain;
    const read = (functionName: 'settled' | 'claimed' | 'nonces') =>
      client.readContract({
        address: toHexAddress(contracts.rewardRouter),
        abi: rewardRouterAbi,
        functionName,
        args: [toHexAddress(address)],
      });
    return {
      settled: await read('settled'),
      claimed: await read('claimed'),
      nonce: await read('nonces'),
      wallet: await client.readContract({
        address: toHexAddress(contracts.usdt),
        abi: balanceAbi,
        functionName: 'balanceOf',
        args: [toHexAddress(address)],
      }),
    };
  }

  async loadBooks({ accountId }: Earner) {
    const { rows } = await this.pool.query((db) =>
      sql<
        Record<'earned' | 'synced' | 'claimed' | 'redeemed' | 'redemptions' | 'successes', string>
      >`
        SELECT
          (SELECT coalesce(sum(commission), 0) * 1000000 FROM referral_earnings
           WHERE beneficiary_id = ${accountId}) AS earned,
          (SELECT coalesce(sum(commission), 0) * 1000000 FROM referral_earnings
           WHERE beneficiary_id = ${accountId} AND chain_sync_status = 'synced') AS synced,
          (SELECT coalesce(sum(commission), 0) * 1000000 FROM referral_earnings
           WHERE beneficiary_id = ${accountId} AND status = 'claimed') AS claimed,
          (SELECT coalesce(sum(amount), 0) * 1000000 FROM reward_redemptions
           WHERE account_id = ${accountId}) AS redeemed,
          (SELECT count(*) FROM reward_redemptions WHERE account_id = ${accountId}) AS redemptions,
          (SELECT coalesce(sum(amount), 0) * 1000000 FROM commission_claims
           WHERE account_id = ${accountId} AND status = 'success') AS successes`.execute(db),
    );
    const [row] = rows;
    if (row === undefined) throw new Error('sums have a row');
    const whole = (text: string): bigint => BigInt(text.replace(/\.0+$/, ''));
    return {
      earned: whole(row.earned),
      synced: whole(row.synced),
      claimed: whole(row.claimed),
      redeemed: whole(row.redeemed),
      redemptions: whole(row.redemptions),
      successes: whole(row.successes),
    };
  }

  /** Number, state and reason of the account's claims, oldest first. */
  async listClaims({ address }: Earner): Promise<readonly string[]> {
    const { items } = await this.claims.list(address, { page: 1, pageSize: 100 });
    return items
      .map(({ claim }) => [claim.amount, claim.status, claim.failureReason ?? ''].join(' ').trim())
      .reverse();
  }

  async #isCalm(): Promise<boolean> {
    const { rows } = await this.pool.query((db) =>
      sql<{ count: string }>`
        SELECT (SELECT count(*) FROM referral_earnings WHERE chain_sync_status = 'pending')
          + (SELECT count(*) FROM chain_transactions WHERE outcome IS NULL)
          + (SELECT count(*) FROM settlement_items WHERE is_open) AS count`.execute(db),
    );
    if (rows[0]?.count !== '0') return false;
    const nonces = await Promise.all(
      this.#earners.map(async (earner) => {
        const [{ nonce }, { redemptions }] = [
          await this.loadChain(earner),
          await this.loadBooks(earner),
        ];
        return nonce === redemptions;
      }),
    );
    return nonces.every(Boolean);
  }

  #createService(): ChainService {
    const { chain, pool } = this;
    return createChainService({
      rpcUrl: chain.proxy.url,
      developmentFolder: '',
      chainId: chain.chainId,
      contracts: this.contracts,
      signers: { privateKey: this.signerKey },
      assets: null,
      confirmations: this.#confirmations,
      rewardDomainName: 'ReferralRewardRouter',
      vaultDomainName: 'SpotVault',
      pollIntervalMs: 3_600_000,
      ledger: new DatabaseChainLedger({
        pool,
        programs: [rewardProgram, vaultProgram],
        now: () => new Date(),
      }),
      books: new DatabaseChainBooks(pool),
      halts: new DatabaseHaltStore(pool, () => new Date()),
      contractStore: new DatabaseContractStore(pool, () => new Date()),
      transactions: new DatabaseTransactionStore(pool),
      settlements: new DatabaseSettlementStore(pool),
      register: new DatabaseRegisterQueue({ pool, restMs: 0, now: () => new Date() }),
      retryPolicy: { timeoutMs: this.#timeoutMs, failuresMax: 1_000, pauseMs: 0 },
      log: createLogger('silent'),
    });
  }
}

export type Voucher = Pick<SignedClaimView, 'amount' | 'deadline' | 'signature'>;

const balanceAbi = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const;
