import { sql } from 'kysely';
import { type Hex, parseAbi } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../src/chain/evm-values.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { type Earner, RewardStack } from '../support/claims/reward-stack.ts';

// A provider withholds logs from the service over PostgreSQL. Closing the books after each poll
// shows that something is missing, for the router by its totals over all accounts.

const emptyBloom = (truth: unknown) => ({
  ...(truth as object),
  logsBloom: `0x${'00'.repeat(256)}`,
});
const noReceipts = () => [];

anvilSuite('withheld events', () => {
  let stack: RewardStack;
  let earner: Earner;

  beforeEach(async () => {
    stack = await RewardStack.start();
    earner = await stack.nextEarner();
    await stack.earn(earner, 9_000_000n);
    await stack.calmDown();
  });
  afterEach(() => stack.close());

  function lie(hides: readonly ('blooms' | 'receipts')[]): void {
    stack.chain.proxy.setRule((method) => {
      if (method === 'eth_getBlockByNumber' && hides.includes('blooms')) {
        return { kind: 'lie', result: emptyBloom };
      }
      if (method === 'eth_getBlockReceipts' && hides.includes('receipts')) {
        return { kind: 'lie', result: noReceipts };
      }
      return null;
    });
  }

  async function deposit(amount: bigint): Promise<void> {
    const { df, spotVault } = stack.contracts;
    const { client } = stack.chain;
    const shared = { account: earner.wallet, chain: null } as const;
    const asHex = (address: Address): Hex => toHexAddress(address);
    const token = { ...shared, address: asHex(df), abi: tokenAbi } as const;
    const vault = { ...shared, address: asHex(spotVault), abi: spotVaultAbi } as const;
    const to = earner.wallet.address;
    for (const hash of [
      await client.writeContract({ ...token, functionName: 'mint', args: [to, amount] }),
      await client.writeContract({
        ...token,
        functionName: 'approve',
        args: [asHex(spotVault), amount],
      }),
      await client.writeContract({
        ...vault,
        functionName: 'deposit',
        args: [asHex(df), amount],
      }),
    ]) {
      await minedReceipt(client, hash);
    }
  }

  async function redeem(): Promise<void> {
    const deadline = Math.floor(Date.now() / 1000) + 3_600;
    const amount = toMicroUsdt(4_000_000n);
    const terms = { account: earner.address, amount, nonce: 0, deadline };
    const signature = await stack.service.rewardSigner.signRedemption(terms);
    await stack.redeem(earner, { amount: '4000000', deadline, signature });
  }

  async function settleByHand(total: bigint): Promise<void> {
    const settler = toHexAddress(stack.chain.signers.settler.address);
    await stack.chain.client.impersonateAccount({ address: settler });
    const hash = await stack.chain.client.writeContract({
      account: settler,
      chain: null,
      address: toHexAddress(stack.contracts.rewardRouter),
      abi: parseAbi(['function batchSettleRewards(address[] users, uint256[] totals)']),
      functionName: 'batchSettleRewards',
      args: [[toHexAddress(earner.address)], [total]],
    });
    await minedReceipt(stack.chain.client, hash);
  }

  async function halts(): Promise<readonly string[]> {
    const { rows } = await stack.pool.query((db) =>
      sql<{ kind: string; detail: string }>`
        SELECT kind, detail FROM chain_halts WHERE cleared_at IS NULL`.execute(db),
    );
    return rows.map(({ kind, detail }) => `${kind}: ${detail}`);
  }

  async function counted(table: 'spot_deposits' | 'reward_redemptions'): Promise<number> {
    const { rows } = await stack.pool.query((db) =>
      sql<{ count: string }>`SELECT count(*) FROM ${sql.table(table)}`.execute(db),
    );
    return Number(rows[0]?.count);
  }

  test('withheld: what a provider hides is counted from its receipts, and signing is halted', async () => {
    await deposit(5n);
    await redeem();
    lie(['blooms']);
    await stack.service.pollEvents();
    expect(await counted('spot_deposits')).toBe(1);
    expect(await counted('reward_redemptions')).toBe(1);
    expect(stack.service.bookDifferences).toContainEqual(['DF', 0]);
    expect(await halts()).toEqual([expect.stringMatching(/^books_differ: the vault accounts for/)]);
    expect(stack.service.status.isSigning).toBe(false);
    await stack.service.pollEvents();
    expect(await counted('spot_deposits')).toBe(1);
  });

  test("withheld: a settlement shows in the router's total of all accounts", async () => {
    await settleByHand(11_000_000n);
    lie(['blooms', 'receipts']);
    await stack.service.pollEvents();
    expect(await halts()).toEqual([
      'books_differ: the router has settled 11000000, counted are 9000000',
    ]);
  });

  test('withheld: a redemption that is a row only shows in what the router has paid', async () => {
    await redeem();
    await stack.service.pollEvents();
    expect(await halts()).toEqual([]);
    await stack.pool.query((db) =>
      sql`UPDATE reward_redemptions SET amount = amount + 1`.execute(db),
    );
    await stack.service.pollEvents();
    expect(await halts()).toEqual([
      'books_differ: the router has claimed 4000000, counted are 5000000',
    ]);
  });

  test('withheld: while the books differ nothing further is counted, also after a restart', async () => {
    await deposit(5n);
    lie(['blooms', 'receipts']);
    await stack.service.pollEvents();
    const { countedBlock } = stack.service.status;
    expect(await counted('spot_deposits')).toBe(0);
    await deposit(7n);
    await stack.service.pollEvents();
    expect(stack.service.status.countedBlock).toBe(countedBlock);
    await stack.restart();
    await stack.service.pollEvents();
    expect(stack.service.status).toMatchObject({ countedBlock, isSigning: false });
  });

  test('withheld: once the provider shows it, it is counted and the counting continues', async () => {
    await deposit(5n);
    lie(['blooms', 'receipts']);
    await stack.service.pollEvents();
    stack.chain.proxy.setRule(null);
    await deposit(7n);
    await stack.service.pollEvents();
    expect(await counted('spot_deposits')).toBe(2);
    expect(stack.service.bookDifferences).toContainEqual(['DF', 0]);
    // What the halt says is still for people to clear.
    expect(stack.service.status).toMatchObject({ openHalts: 1, isSigning: false });
  });

  test('withheld: a database that counted settlements before their sums opens its books once', async () => {
    await redeem();
    await stack.calmDown();
    await stack.pool.query((db) => sql`TRUNCATE router_settlements`.execute(db));
    await stack.pool.query((db) =>
      sql`UPDATE contracts SET books_since = NULL WHERE kind = 'rewardRouter'`.execute(db),
    );
    await stack.restart();
    await stack.calmDown();
    await stack.earn(earner, 3_000_000n);
    await stack.calmDown();
    expect(await halts()).toEqual([]);
    await settleByHand(50_000_000n);
    lie(['blooms', 'receipts']);
    await stack.service.pollEvents();
    expect(await halts()).toEqual([
      'books_differ: the router has settled 50000000, counted are 12000000',
    ]);
  });
});
