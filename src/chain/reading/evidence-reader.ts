import { erc20Abi } from 'viem';
import type { VaultToken } from '../../application/ports/chain.ts';
import type { ChainEvent } from '../../application/ports/chain-ledger.ts';
import type { DrainingContract } from '../../application/ports/contracts.ts';
import type {
  EventEvidence,
  EvidenceReader,
  WaitingEvent,
} from '../../application/ports/waiting-events.ts';
import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import {
  asChainError,
  type ChainAccess,
  type ChainConnection,
  requireConnection,
} from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { filterOf, readEvents } from '../events/registry.ts';
import { type Hash, toHexAddress } from '../evm-values.ts';
import type { BlockHeader } from '../node/chain-node.ts';
import { loadReleaseNonce, loadRewardNonce } from './proven-views.ts';

/** What the chain shows about events that wait; several providers prove it like counted events. */
export class ChainEvidenceReader implements EvidenceReader {
  readonly #access: ChainAccess;

  constructor(access: ChainAccess) {
    this.#access = access;
  }

  findAsset(symbol: string): VaultToken | null {
    return this.#access.connection?.tokens.find((each) => each.symbol === symbol) ?? null;
  }

  findAssetAt(address: Address): VaultToken | null {
    return this.#access.connection?.tokens.find((each) => each.address === address) ?? null;
  }

  async loadDecimals(token: Address): Promise<number> {
    const { node } = requireConnection(this.#access);
    return asChainError(() =>
      readContract(node, { address: token, abi: erc20Abi, functionName: 'decimals' }),
    );
  }

  async load({ account, block, event }: WaitingEvent): Promise<EventEvidence> {
    const connection = requireConnection(this.#access);
    const { node } = connection;
    return asChainError(async () => {
      const head = await node.loadHead();
      const header = block === null ? null : await node.findHeader(block);
      const [isIncluded, nextNumber, token] = await Promise.all([
        header !== null && isIn(connection, header, event),
        loadNextNumber(connection, { account, blockHash: head.hash }, event),
        'token' in event ? loadToken(connection, event.token) : null,
      ]);
      return {
        head: head.number,
        blockHash: header?.hash ?? null,
        isIncluded,
        nextNumber: nextNumber === null ? null : Number(nextNumber),
        token,
      };
    });
  }
}

async function isIn(
  { node, contracts }: ChainConnection,
  header: BlockHeader,
  event: ChainEvent,
): Promise<boolean> {
  const former = formerOf(event);
  const logs = await node.loadLogs(header, filterOf(contracts, former));
  const wanted = textOf(event);
  return readEvents(logs, contracts, former).some((each) => textOf(each) === wanted);
}

/** The replaced contract that emitted it, if that is one. */
function formerOf({ type, formerContract: address }: ChainEvent): readonly DrainingContract[] {
  if (address === undefined) return [];
  const isRouters = type === 'rewardSettled' || type === 'rewardRedeemed';
  return [{ kind: isRouters ? 'rewardRouter' : 'spotVault', address }];
}

/** Equal for the same event; its place within the transaction's logs does not matter. */
function textOf(event: ChainEvent): string {
  const fields = Object.entries({ ...event, logIndex: 0 });
  return fields
    .map(([name, value]) => `${name} ${String(value)}`)
    .sort()
    .join();
}

async function loadNextNumber(
  connection: ChainConnection,
  asked: { readonly account: Address; readonly blockHash: Hash },
  { type }: ChainEvent,
): Promise<bigint | null> {
  switch (type) {
    case 'vaultDeposited':
      return readContract(connection.node, {
        address: connection.contracts.spotVault,
        abi: spotVaultAbi,
        functionName: 'depositCount',
        args: [toHexAddress(asked.account)],
        at: { blockHash: asked.blockHash },
      });
    case 'vaultReleased':
    case 'vaultReleaseQueued':
      return loadReleaseNonce(connection, asked);
    case 'rewardRedeemed':
      return loadRewardNonce(connection, asked);
    default:
      return null;
  }
}

async function loadToken(
  { node }: ChainConnection,
  address: Address,
): Promise<EventEvidence['token']> {
  const [symbol, decimals] = await Promise.all([
    readContract(node, { address, abi: erc20Abi, functionName: 'symbol' }),
    readContract(node, { address, abi: erc20Abi, functionName: 'decimals' }),
  ]);
  return { symbol, decimals };
}
