import { createWalletClient, encodeFunctionData, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adoptVault } from '../../contracts/deployment/adopt-vault.ts';
import { connect } from '../../contracts/deployment/run-plan.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { minedReceipt } from '../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../src/chain/evm-values.ts';
import { DatabaseContractStore } from '../../src/database/chain/contract-store.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { KillingNode } from '../support/chain/killing-node.ts';
import { newWallet, startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';

// A database that names no contracts, with withdrawals open with a vault that is not the settings':
// `contracts:migrate -- --adopt` ends each of them as the chain says.

const successor = `0x${'5c'.repeat(20)}` as Address;
const oneHour = 3_600;

anvilSuite('open withdrawals of a former vault', () => {
  let chain: TestChain;
  let database: TestDatabase;
  let runner: KillingNode;
  let ids = 0;

  beforeAll(async () => {
    [chain, database] = await Promise.all([startTestChain(), openTestDatabase()]);
    runner = await KillingNode.start(chain.rpcUrl, readNamedBlocks('docs/maintenance.md'));
  });
  afterAll(async () => {
    await runner.stop();
    await database.close();
    await chain.close();
  });

  const chainSeconds = async () => Number((await chain.client.getBlock()).timestamp);

  async function insert(
    account: Address,
    { deadline = null as number | null, rawAmount = 5n } = {},
  ): Promise<string> {
    ids += 1;
    const id = `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    const isSigned = deadline !== null;
    await database.database.accounts.query((db) =>
      db
        .insertInto('withdrawals')
        .values({
          id,
          account,
          token: 'DF',
          token_address: chain.contracts.df,
          wallet: 'spot',
          amount: '5',
          raw_amount: String(rawAmount),
          chain_id: chain.chainId,
          contract_address: chain.contracts.spotVault,
          nonce: isSigned ? 0 : null,
          deadline,
          signature: isSigned ? '0x01' : null,
          status: isSigned ? 'signed' : 'pending',
          is_settled: true,
          tx_hash: null,
          block_number: null,
          created_at: new Date(),
          finished_at: null,
        })
        .execute(),
    );
    return id;
  }

  async function release({ account, address }: Awaited<ReturnType<typeof newWallet>>) {
    const { spotVault, df } = chain.contracts;
    const deadline = BigInt((await chainSeconds()) + oneHour);
    const terms = { value: 5n, nonce: 0n, deadline };
    const domain = { name: 'SpotVault', chainId: chain.chainId, verifyingContract: spotVault };
    const signed = { ...terms, account: address, token: df };
    const signature = await chain.signers.vault.signRelease(domain, signed);
    const args = [toHexAddress(df), terms.value, terms.nonce, deadline, signature] as const;
    const data = encodeFunctionData({ abi: spotVaultAbi, functionName: 'release', args });
    const sender = createWalletClient({ account, transport: http(chain.rpcUrl) });
    const to = toHexAddress(spotVault);
    const hash = await sender.sendTransaction({ chain: null, to, data });
    expect(await minedReceipt(chain.client, hash)).toMatchObject({ status: 'success' });
    return hash;
  }

  const adopt = () =>
    runner.run('adopt-vault', {
      CHAIN: chain.rpcUrl,
      FORMER_VAULT: chain.contracts.spotVault,
      DATABASE_URL: database.url,
      NATS_URL: '',
      CHAIN_RPC_URL: chain.rpcUrl,
      CHAIN_ID: String(chain.chainId),
      CHAIN_CONFIRMATIONS: '0',
      SIGNER_PRIVATE_KEY: chain.signerKey.slice(2),
      REWARD_ROUTER_ADDRESS: chain.contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: chain.contracts.referralRebate,
      SPOT_VAULT_ADDRESS: successor,
    });

  async function rowOf(id: string): Promise<unknown> {
    const row = await database.database.accounts.query((db) =>
      db
        .selectFrom('withdrawals')
        .select(['status', 'is_settled', 'tx_hash', 'contract_address'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    );
    return [row.status, row.is_settled, row.tx_hash, row.contract_address];
  }

  test('adopt: paid withdrawals are completed, expired ones returned, unsigned ones continued', async () => {
    const [payee, late, patient, unsigned, cheated] = await Promise.all(
      Array.from({ length: 5 }, () => newWallet(chain)),
    );
    const seconds = await chainSeconds();
    const paid = await insert(payee!.address, { deadline: seconds + oneHour });
    const hash = await release(payee!);
    const expired = await insert(late!.address, { deadline: seconds - 1 });
    const good = await insert(patient!.address, { deadline: seconds + oneHour });
    const pending = await insert(unsigned!.address);
    const other = await insert(cheated!.address, { deadline: seconds + oneHour, rawAmount: 6n });
    await release(cheated!);
    const store = new DatabaseContractStore(database.database.accounts, () => new Date());
    expect(await store.listForeignWithdrawals(successor)).toHaveLength(5);

    const first = await adopt();
    expect(first).toMatchObject({ status: 3 });
    expect(first.output).toContain(`withdrawal ${good} is still open: its signature is good until`);
    expect(first.output).toContain(
      `withdrawal ${other} is still open: its nonce is spent, but not by this release`,
    );
    const { spotVault } = chain.contracts;
    expect(await rowOf(paid)).toEqual(['completed', false, hash, spotVault]);
    expect(await rowOf(expired)).toEqual(['expired', false, null, spotVault]);
    expect(await rowOf(pending)).toEqual(['pending', true, null, successor]);
    expect(await rowOf(good)).toEqual(['signed', true, null, spotVault]);

    await chain.client.mine({ blocks: 1, interval: 2 * oneHour });
    expect((await adopt()).output).toContain(`withdrawal ${good}: expired`);
    expect((await store.listForeignWithdrawals(successor)).map(({ id }) => id)).toEqual([other]);
  });

  test('adopt: on a chain with final blocks nothing is returned by a newer one', async () => {
    await chain.client.mine({ blocks: 100 });
    const { address } = await newWallet(chain);
    const id = await insert(address, { deadline: (await chainSeconds()) + oneHour });
    const lines: string[] = [];
    const adoptFinal = () =>
      adoptVault({
        client: connect(chain.rpcUrl),
        pool: database.database.accounts,
        vault: chain.contracts.spotVault,
        successor,
        confirmations: 0,
        finality: 'finalized',
        now: () => new Date(),
        tell: (line) => lines.push(line),
      });
    await chain.client.mine({ blocks: 1, interval: 2 * oneHour });
    await adoptFinal();
    expect(lines.join()).toContain(`withdrawal ${id} is still open: its signature is good until`);
    await chain.client.mine({ blocks: 100 });
    await adoptFinal();
    expect(lines).toContain(`withdrawal ${id}: expired`);
  });
});
