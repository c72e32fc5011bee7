import { encodeAbiParameters, type Hex, keccak256, zeroAddress } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress, type Hash, toHexAddress } from '../evm-values.ts';

// Values that decide whether money is returned or has been paid. They are read from the contract's
// own slots under the block's state root if the providers can prove it, otherwise by a call that
// they agree on.

/** The slots in the second version; a test compares them with contracts/storage. */
export const provenSlots = { releaseNonces: 10n, accounted: 12n, rewardNonces: 12n } as const;

type Connection = Pick<ChainConnection, 'node' | 'contracts' | 'version'>;

interface AccountAt {
  readonly account: Address;
  readonly blockHash: Hash;
}

/** The nonce of the account's next release. @throws ChainUnavailableError */
export async function loadReleaseNonce(
  connection: Connection,
  { account, blockHash }: AccountAt,
): Promise<bigint> {
  return continued(connection, {
    contract: connection.contracts.spotVault,
    slot: mappingSlot(account, provenSlots.releaseNonces),
    blockHash,
    ask: (address) =>
      readContract(connection.node, {
        address,
        abi: spotVaultAbi,
        functionName: 'releaseNonce',
        args: [toHexAddress(account)],
        at: { blockHash },
      }),
  });
}

/** The nonce of the account's next redemption. @throws ChainUnavailableError */
export async function loadRewardNonce(
  connection: Connection,
  { account, blockHash }: AccountAt,
): Promise<bigint> {
  return continued(connection, {
    contract: connection.contracts.rewardRouter,
    slot: mappingSlot(account, provenSlots.rewardNonces),
    blockHash,
    ask: (address) =>
      readContract(connection.node, {
        address,
        abi: rewardRouterAbi,
        functionName: 'nonces',
        args: [toHexAddress(account)],
        at: { blockHash },
      }),
  });
}

/** The vault's own accounting of a token; only in the second version. */
export async function loadAccounted(
  { node, contracts: { spotVault } }: Connection,
  { token, blockHash }: { readonly token: Address; readonly blockHash: Hash },
): Promise<bigint> {
  const slot = mappingSlot(token, provenSlots.accounted);
  if (node.loadSlot !== undefined) return node.loadSlot({ contract: spotVault, slot, blockHash });
  return readContract(node, {
    address: spotVault,
    abi: spotVaultAbi,
    functionName: 'accounted',
    args: [toHexAddress(token)],
    at: { blockHash },
  });
}

interface ContinuedNumber {
  readonly contract: Address;
  readonly slot: Hex;
  readonly blockHash: Hash;
  readonly ask: (contract: Address) => Promise<bigint>;
}

// The contract's own slot plus the predecessor's value, which is final.
async function continued(
  { node, version }: Connection,
  { contract, slot, blockHash, ask }: ContinuedNumber,
): Promise<bigint> {
  if (node.loadSlot === undefined || version === 1) return ask(contract);
  const own = await node.loadSlot({ contract, slot, blockHash });
  const predecessor = await readContract(node, {
    address: contract,
    abi: spotVaultAbi,
    functionName: 'predecessor',
    at: { blockHash },
  });
  if (predecessor === zeroAddress) return own;
  return own + (await ask(fromHexAddress(predecessor)));
}

function mappingSlot(key: Address, slot: bigint): Hex {
  const place = encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }],
    [toHexAddress(key), slot],
  );
  return keccak256(place);
}
