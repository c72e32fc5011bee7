import { erc20Abi } from 'viem';
import type { ChainHoldings, HoldingsReader, VaultHolding } from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { asChainError, type ChainAccess, requireConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { type Hash, toHexAddress } from '../evm-values.ts';
import type { ChainNode } from '../node/chain-node.ts';
import { loadAccounted } from './proven-views.ts';

/** What the vault and the reward router hold; each call makes a few requests to the node. */
export class ChainHoldingsReader implements HoldingsReader {
  readonly #access: ChainAccess;

  constructor(access: ChainAccess) {
    this.#access = access;
  }

  async loadSettlerCoin(): Promise<bigint> {
    const { node, signers } = requireConnection(this.#access);
    return asChainError(() => node.loadBalance(signers.settler.address));
  }

  async loadHoldings(blockHash: Hash): Promise<ChainHoldings> {
    const { node, contracts, usdt, tokens } = requireConnection(this.#access);
    const { spotVault, rewardRouter } = contracts;
    const at = { blockHash };
    return asChainError(async () => {
      const ask = (functionName: 'totalSettled' | 'totalClaimed') =>
        readContract(node, { address: rewardRouter, abi: rewardRouterAbi, functionName, at });
      const [settled, claimed, rewardsHeld, ...held] = await Promise.all([
        ask('totalSettled'),
        ask('totalClaimed'),
        balanceOf(node, { token: usdt.address, holder: rewardRouter, at }),
        ...tokens.map(({ address }) => balanceOf(node, { token: address, holder: spotVault, at })),
      ]);
      return {
        vault: tokens.map((token, index) => ({ ...token, rawAmount: held[index] ?? 0n })),
        rewardsHeld: toMicroUsdt(rewardsHeld),
        rewardsOwed: toMicroUsdt(settled - claimed),
      };
    });
  }

  async loadAccounted(): Promise<readonly VaultHolding[]> {
    const connection = requireConnection(this.#access);
    const { node, tokens, version } = connection;
    if (version === 1) return [];
    return asChainError(async () => {
      const { hash: blockHash } = await node.loadHead();
      return Promise.all(
        tokens.map(async (token) => ({
          ...token,
          rawAmount: await loadAccounted(connection, { token: token.address, blockHash }),
        })),
      );
    });
  }

  async loadSurplus(): Promise<readonly VaultHolding[]> {
    const connection = requireConnection(this.#access);
    const { node, contracts, tokens, version } = connection;
    // The first version does not keep books.
    if (version === 1) return [];
    return asChainError(async () => {
      const { hash: blockHash } = await node.loadHead();
      return Promise.all(
        tokens.map(async (token) => {
          const asked = { token: token.address, holder: contracts.spotVault, at: { blockHash } };
          const [held, accounted] = await Promise.all([
            balanceOf(node, asked),
            loadAccounted(connection, { token: token.address, blockHash }),
          ]);
          return { ...token, rawAmount: held - accounted };
        }),
      );
    });
  }
}

function balanceOf(
  node: ChainNode,
  asked: {
    readonly token: Address;
    readonly holder: Address;
    readonly at: { readonly blockHash: Hash };
  },
): Promise<bigint> {
  return readContract(node, {
    address: asked.token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [toHexAddress(asked.holder)],
    at: asked.at,
  });
}
