import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseUnits } from 'viem';
import { spotVaultAbi } from '../../../src/chain/abi/spot-vault-abi.ts';
import { minedReceipt } from '../../../src/chain/development/mined-receipt.ts';
import { toHexAddress } from '../../../src/chain/evm-values.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import type { TestChain } from './test-chain.ts';

// A test chain whose withdrawals of 10 and more are reviewed: the vault has limits, and a manifest
// names them.

const limits = { I: '100', W: '1000', D: 3_600, F: '0', H: '10000000000' };

/** Gives the vault the manifest's limits: with others nothing is signed. */
async function limit(chain: TestChain, token: Address, decimals: number): Promise<void> {
  const [owner] = await chain.client.getAddresses();
  if (owner === undefined) throw new Error('the development chain has no accounts');
  const raw = (amount: string) => parseUnits(amount, decimals);
  const hash = await chain.client.writeContract({
    account: owner,
    chain: null,
    address: toHexAddress(chain.contracts.spotVault),
    abi: spotVaultAbi,
    functionName: 'setLimit',
    // An estimate for the current second can be too low for the second of the block.
    gas: 300_000n,
    args: [
      toHexAddress(token),
      {
        instantMax: raw(limits.I),
        windowMax: raw(limits.W),
        floor: raw(limits.F),
        highMark: raw(limits.H),
        period: 86_400,
        delay: limits.D,
      },
    ],
  });
  const { status } = await minedReceipt(chain.client, hash);
  if (status !== 'success') throw new Error(`the limit of ${token} was not set`);
}

function manifestOf({ chainId, contracts }: TestChain): object {
  const contract = (address: string) => ({
    address,
    startBlock: 0,
    codeHash: null,
    predecessor: null,
  });
  const asset = (symbol: string, address: string, decimals: number) => ({
    symbol,
    address,
    decimals,
    onChainSymbol: symbol,
    startBlock: 0,
    deposits: true,
    withdrawals: true,
    limit: limits,
    R: '10',
  });
  return {
    format: 1,
    chainId,
    kind: 'test',
    finality: 'confirmations',
    proofs: 'required',
    startBlock: 0,
    contracts: {
      rewardRouter: contract(contracts.rewardRouter),
      referralRebate: contract(contracts.referralRebate),
      spotVault: contract(contracts.spotVault),
    },
    assets: [asset('DF', contracts.df, 18), asset('USDT', contracts.usdt, 6)],
  };
}

/** Sets the limits and writes the manifest; returns its path. */
export async function deployForReviews(chain: TestChain, folder: string): Promise<string> {
  await limit(chain, chain.contracts.df, 18);
  await limit(chain, chain.contracts.usdt, 6);
  const path = join(folder, 'deployment.json');
  writeFileSync(path, JSON.stringify(manifestOf(chain)));
  return path;
}
