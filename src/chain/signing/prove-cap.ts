import { encodeFunctionData, type Hex } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import { type ChainNode, ChainRevertedError } from '../node/chain-node.ts';
import { revertName } from '../revert-name.ts';
import type { ChainSigner } from '../signers/chain-signer.ts';
import type { RewardVoucher, SigningDomain } from '../typed-data.ts';

// The service signs any amount that a user requests (interface.md, claim rules 4). That is safe
// only while the contract pays no more than what is settled. So before anything is signed for a
// user, the contract has to show that it accepts this key's signatures and still refuses too large
// an amount.

const proofSeconds = 3_600n;
/** A signature is used again until so little of its time is left. */
const leastSeconds = 60n;

interface ProofVoucher {
  readonly router: Address;
  readonly voucher: RewardVoucher;
  readonly signature: Hex;
}

/** Keeps its signature for an hour: a signer counts signatures, and writes each to its log. */
export class CapProof {
  #last: ProofVoucher | null = null;

  /**
   * Simulates redeeming more than is settled. Returns null if the contract refuses that for the
   * right reason, otherwise why nothing may be signed.
   * @throws ChainUnavailableError
   */
  async findFault(
    node: ChainNode,
    signer: ChainSigner,
    domain: SigningDomain,
  ): Promise<string | null> {
    const router = domain.verifyingContract;
    const account = signer.address;
    const operator = await readContract(node, {
      address: router,
      abi: rewardRouterAbi,
      functionName: 'operator',
    });
    if (fromHexAddress(operator) !== account) {
      return `the reward router's operator is ${operator}, not the signer ${account}`;
    }
    const { voucher, signature } = await this.#sign(node, signer, domain);
    const data = encodeFunctionData({
      abi: rewardRouterAbi,
      functionName: 'redeemReward',
      args: [voucher.value, voucher.deadline, signature],
    });
    try {
      await node.call({ from: account, to: router, data });
      return 'the reward router would pay more than what is settled';
    } catch (error) {
      if (!(error instanceof ChainRevertedError)) throw error;
      const name = revertName(error.data);
      if (name === 'AmountExceedsSettled') return null;
      return `the reward router does not show its cap: it answers ${name ?? error.message}`;
    }
  }

  async #sign(node: ChainNode, signer: ChainSigner, domain: SigningDomain): Promise<ProofVoucher> {
    const router = domain.verifyingContract;
    const account = signer.address;
    const ask = (functionName: 'settled' | 'claimed' | 'nonces') =>
      readContract(node, {
        address: router,
        abi: rewardRouterAbi,
        functionName,
        args: [toHexAddress(account)],
      });
    const [settled, claimed, nonce] = await Promise.all([
      ask('settled'),
      ask('claimed'),
      ask('nonces'),
    ]);
    const value = settled - claimed + 1n;
    const seconds = BigInt((await node.loadHead()).timestamp);
    const last = this.#last;
    const isGood =
      last?.router === router &&
      last.voucher.account === account &&
      last.voucher.value === value &&
      last.voucher.nonce === nonce &&
      last.voucher.deadline > seconds + leastSeconds;
    if (isGood) return last;
    const voucher = { account, value, nonce, deadline: seconds + proofSeconds };
    const signature = await signer.signReward(domain, voucher);
    this.#last = { router, voucher, signature };
    return this.#last;
  }
}
