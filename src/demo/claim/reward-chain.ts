import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseAbi,
  parseEther,
  TransactionReceiptNotFoundError,
  withRetry,
} from 'viem';
import { fieldOf, textOf } from '../../client/api-client.ts';

// The chain as a user's wallet sees it, independent of the exchange.

const rewardRouterAbi = parseAbi([
  'function redeemReward(uint256 amount, uint256 deadline, bytes signature)',
  'function settled(address account) view returns (uint256)',
  'function claimed(address account) view returns (uint256)',
  'function nonces(address account) view returns (uint256)',
  'event RewardRedeemed(address indexed account, uint256 amount, uint256 nonce)',
  'error AmountExceedsSettled(address account, uint256 amount, uint256 available)',
  'error InvalidSigner(address recovered)',
  'error SignatureExpired(uint256 deadline)',
]);
const tokenAbi = parseAbi(['function balanceOf(address account) view returns (uint256)']);

export interface RewardBooks {
  /** All in 10^-6 USDT. */
  readonly settled: bigint;
  readonly claimed: bigint;
  readonly wallet: bigint;
  readonly router: bigint;
  readonly nonce: bigint;
}

export interface SignedAmount {
  readonly amount: bigint;
  readonly deadline: bigint;
  readonly signature: Hex;
}

/** The reward router on the chain that GET /chain/info names. */
export class RewardChain {
  readonly router: Hex;
  readonly #usdt: Hex;
  readonly #rpcUrl: string;

  /** @throws Error if the exchange does not provide its own node */
  constructor(info: unknown) {
    const contracts = fieldOf(info, 'contracts');
    this.router = textOf(contracts, 'reward_router') as Hex;
    this.#usdt = textOf(contracts, 'usdt') as Hex;
    const rpcUrl = fieldOf(info, 'rpc_url');
    if (typeof rpcUrl !== 'string') {
      throw new Error('the server does not run a development chain, which the story needs');
    }
    this.#rpcUrl = rpcUrl;
  }

  async loadBooks(account: Hex): Promise<RewardBooks> {
    const client = createPublicClient({ transport: http(this.#rpcUrl) });
    const read = (functionName: 'settled' | 'claimed' | 'nonces') =>
      client.readContract({
        address: this.router,
        abi: rewardRouterAbi,
        functionName,
        args: [account],
      });
    const balanceOf = (holder: Hex) =>
      client.readContract({
        address: this.#usdt,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [holder],
      });
    return {
      settled: await read('settled'),
      claimed: await read('claimed'),
      nonce: await read('nonces'),
      wallet: await balanceOf(account),
      router: await balanceOf(this.router),
    };
  }

  /** Coins for fees, which a development chain gives on request. */
  async giveGas(account: Hex): Promise<void> {
    const client = createTestClient({ mode: 'anvil', transport: http(this.#rpcUrl) });
    await client.setBalance({ address: account, value: parseEther('1') });
  }

  /**
   * Submits the redemption from the user's own wallet; returns the hash of the mined transaction.
   */
  async redeem(
    wallet: PrivateKeyAccount,
    { amount, deadline, signature }: SignedAmount,
  ): Promise<Hex> {
    const transport = http(this.#rpcUrl);
    const client = createWalletClient({ account: wallet, transport });
    const hash = await client.writeContract({
      address: this.router,
      abi: rewardRouterAbi,
      chain: null,
      functionName: 'redeemReward',
      args: [amount, deadline, signature],
    });
    const reader = createPublicClient({ transport });
    // viem polls again only with the next block, which a chain that mines on demand never makes.
    const { status } = await withRetry(() => reader.getTransactionReceipt({ hash }), {
      delay: 50,
      retryCount: 400,
      shouldRetry: ({ error }) => error instanceof TransactionReceiptNotFoundError,
    });
    if (status !== 'success') throw new Error(`the contract refused the redemption ${hash}`);
    return hash;
  }
}
