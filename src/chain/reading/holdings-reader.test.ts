import { type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import { ChainError } from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { tokenAbi } from '../abi/token-abi.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { ChainHoldingsReader } from './holdings-reader.ts';

anvilSuite('holdings-reader', () => {
  let chain: TestChain;
  let reader: ChainHoldingsReader;

  beforeAll(async () => {
    chain = await startTestChain();
    const { contracts, node } = chain;
    reader = new ChainHoldingsReader({
      signingFault: null,
      vaultFault: null,
      loadHaltFault: async () => null,
      connection: {
        node,
        contracts,
        chainId: chain.chainId,
        version: 2,
        signers: chain.signers,
        usdt: {
          symbol: 'USDT',
          address: contracts.usdt,
          decimals: 6,
          areDepositsOn: true,
          areWithdrawalsOn: true,
        },
        tokens: [
          {
            symbol: 'USDT',
            address: contracts.usdt,
            decimals: 6,
            areDepositsOn: true,
            areWithdrawalsOn: true,
          },
          {
            symbol: 'DF',
            address: contracts.df,
            decimals: 18,
            areDepositsOn: true,
            areWithdrawalsOn: true,
          },
        ],
        rewardDomain: null as never,
        vaultDomain: null as never,
      },
    });
  });
  afterAll(() => chain.close());

  async function mint(token: Address, to: Address, amount: bigint): Promise<void> {
    const [owner] = await chain.client.getAddresses();
    const hash = await chain.client.writeContract({
      account: owner!,
      chain: null,
      address: token as Hex,
      abi: tokenAbi,
      functionName: 'mint',
      args: [to as Hex, amount],
    });
    await minedReceipt(chain.client, hash);
  }

  test('holdings: what vault and reward router hold at the block that is asked for', async () => {
    const { usdt, df, spotVault, rewardRouter } = chain.contracts;
    const before = await chain.node.loadHead();
    const was = await reader.loadHoldings(before.hash);
    await mint(df, spotVault, 5n);
    await mint(usdt, rewardRouter, 7n);
    const after = await chain.node.loadHead();
    const is = await reader.loadHoldings(after.hash);
    expect(is.vault.map(({ symbol }) => symbol)).toEqual(['USDT', 'DF']);
    const grown = is.vault.map(({ rawAmount }, at) => rawAmount - (was.vault[at]?.rawAmount ?? 0n));
    expect(grown).toEqual([0n, 5n]);
    expect(is.rewardsHeld - was.rewardsHeld).toBe(7n);
    expect(is.rewardsOwed).toBe(was.rewardsOwed);
    expect(await reader.loadHoldings(before.hash)).toEqual(was);
  });

  test('holdings: the surplus of the vault is what plain transfers brought, by its own books', async () => {
    const { df, spotVault } = chain.contracts;
    const surplus = async () => (await reader.loadSurplus()).map(({ rawAmount }) => rawAmount);
    const before = await surplus();
    const accounted = await reader.loadAccounted();
    await mint(df, spotVault, 9n);
    expect(await surplus()).toEqual([before[0], (before[1] ?? 0n) + 9n]);
    expect(await reader.loadAccounted()).toEqual(accounted);
    // The owner takes it out, and nothing that the vault accounts for.
    const [owner] = (await chain.client.getAddresses()) as [Hex];
    const rescue = (amount: bigint) =>
      chain.client.simulateContract({
        account: owner,
        address: spotVault as Hex,
        abi: parseAbi(['function rescueSurplus(address token, address to, uint256 amount)']),
        functionName: 'rescueSurplus',
        args: [df as Hex, owner, amount],
      });
    const all = (await surplus())[1] ?? 0n;
    await expect(rescue(all + 1n)).rejects.toThrow();
    await rescue(all);
  });

  test('holdings: a block that the node does not know is an error, not nothing', async () => {
    await expect(reader.loadHoldings(`0x${'ab'.repeat(32)}`)).rejects.toThrow(ChainError);
  });
});
