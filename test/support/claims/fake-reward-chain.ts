import { keccak256, toHex } from 'viem';
import {
  type AccountNonce,
  ChainError,
  type OnChainReader,
  type OperatorStatus,
  type RewardSigner,
  type RewardVoucherTerms,
  SigningError,
  type TraderReferral,
  type UserRebate,
} from '../../../src/application/ports/chain.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../../src/domain/micro-usdt.ts';

export const fakeRouter = '0x00000000000000000000000000000000000000aa' as Address;
export const fakeRegister = '0x00000000000000000000000000000000000000bb' as Address;
export const fakeOperator = '0x00000000000000000000000000000000000000cc' as Address;

/** The reward contracts as the claims' use cases see them, with the troubles that they can have. */
export class FakeRewardChain implements RewardSigner, OnChainReader {
  readonly contractAddress = fakeRouter;
  isChainDown = false;
  isSigningOff = false;
  /** Fails between the reading of the nonce and the signature. */
  isSignatureFailing = false;
  /** The chain's clock; 0: behind the service's. */
  blockSeconds = 0;
  standingsAsked = 0;
  readonly nonces = new Map<Address, number>();
  readonly rebates = new Map<Address, UserRebate>();
  readonly referrals = new Map<Address, TraderReferral>();
  operator: OperatorStatus = {
    operator: fakeOperator,
    isOperator: true,
    contract: fakeRegister,
  };

  async loadStanding(account: Address): Promise<AccountNonce> {
    this.standingsAsked += 1;
    this.#refuseWhereDown();
    if (this.isSigningOff) throw new SigningError('signing is off');
    return { nonce: this.nonces.get(account) ?? 0, blockSeconds: this.blockSeconds };
  }

  /** The same terms give the same bytes, as the real one's do. */
  async signRedemption(terms: RewardVoucherTerms): Promise<`0x${string}`> {
    if (this.isSigningOff || this.isSignatureFailing) throw new SigningError('signing is off');
    const { account, amount, nonce, deadline } = terms;
    return keccak256(toHex(`${account} ${amount} ${nonce} ${deadline}`));
  }

  async loadUserRebate(address: Address): Promise<UserRebate> {
    this.#refuseWhereDown();
    return this.rebates.get(address) ?? { ...nothing, claimed: toMicroUsdt(0n), nonce: 0 };
  }

  async loadTraderReferral(address: Address): Promise<TraderReferral> {
    this.#refuseWhereDown();
    const none = { totalRebateBps: 0, traderDiscountBps: 0, affiliateRewardBps: 0 };
    return this.referrals.get(address) ?? { ...nothing, ...none };
  }

  async loadClaimed(address: Address): Promise<MicroUsdt> {
    return (await this.loadUserRebate(address)).claimed;
  }

  async loadOperatorStatus(): Promise<OperatorStatus> {
    this.#refuseWhereDown();
    return this.operator;
  }

  #refuseWhereDown(): void {
    if (this.isChainDown) throw new ChainError('the node does not answer');
  }
}

const nothing = {
  code: '',
  referrer: '0x0000000000000000000000000000000000000000' as Address,
  tierLevel: 0,
};
