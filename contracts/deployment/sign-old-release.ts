import { encodeFunctionData, type Hex, type PublicClient } from 'viem';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { fromHexAddress } from '../../src/chain/evm-values.ts';
import type { ChainSigner } from '../../src/chain/signers/chain-signer.ts';
import { contractAbi } from './deployment-abi.ts';
import type { SignRelease } from './first-version-steps.ts';

/** As long as the service's own signatures. */
const lifeSeconds = 3_600n;

export interface OldReleaseTerms {
  readonly vault: Hex;
  readonly coldWallet: Hex;
  /** The operator of the old contracts. */
  readonly signer: ChainSigner;
}

/** Signs releases of the old vault to the cold wallet, each with the nonce that comes next. */
export function oldReleaseSigner(
  client: PublicClient,
  { vault, coldWallet, signer }: OldReleaseTerms,
): SignRelease {
  return async (token, amount) => {
    const [, name] = (await client.readContract({
      address: vault,
      abi: contractAbi('SpotVaultV1'),
      functionName: 'eip712Domain',
    })) as readonly [Hex, string];
    const nonce = await client.readContract({
      address: vault,
      abi: spotVaultAbi,
      functionName: 'releaseNonce',
      args: [coldWallet],
    });
    const { timestamp } = await client.getBlock();
    const deadline = timestamp + lifeSeconds;
    const chainId = await client.getChainId();
    const signature = await signer.signRelease(
      { name, chainId, verifyingContract: fromHexAddress(vault) },
      {
        account: fromHexAddress(coldWallet),
        token: fromHexAddress(token),
        value: amount,
        nonce,
        deadline,
      },
    );
    const args = [token, amount, nonce, deadline, signature] as const;
    return encodeFunctionData({ abi: spotVaultAbi, functionName: 'release', args });
  };
}
