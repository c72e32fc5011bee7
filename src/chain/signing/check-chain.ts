import { erc20Abi } from 'viem';
import type { Address } from '../../domain/identifiers.ts';
import { isTokenSymbol } from '../../domain/identifiers.ts';
import { referralRebateAbi } from '../abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { ChainToken, ContractAddresses } from '../chain-addresses.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress } from '../evm-values.ts';
import type { ChainNode } from '../node/chain-node.ts';

// Checks that the chain behind the settings is the intended one. A wrong chain id or address would
// make signatures that are valid somewhere else, and a token with other decimals would be wrong by
// powers of ten, so nothing is signed or counted before all of this is correct.

/** An asset in the manifest. */
export interface RegisteredAsset {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  /** The token's own symbol; null if it is not compared. */
  readonly onChainSymbol: string | null;
  readonly areDepositsOn: boolean;
  readonly areWithdrawalsOn: boolean;
  /** Whether the manifest named it only after the start. */
  readonly isAddedLater?: true;
}

export interface ChainExpectation {
  /**
   * Null: without a manifest, on chains whose money is worthless, the tokens' own symbols are used.
   */
  readonly assets: readonly RegisteredAsset[] | null;
  readonly chainId: number;
  readonly contracts: ContractAddresses;
  readonly rewardDomainName: string;
  readonly vaultDomainName: string;
}

export interface CheckedChain {
  readonly usdt: ChainToken;
  /** The tokens that the vault accepts, including USDT if it does. */
  readonly tokens: readonly ChainToken[];
  /** Why assets or tokens are left out; the others are used. */
  readonly assetFaults: readonly string[];
}

/** The settings and the chain contradict each other; the message says where. */
export class ChainMismatchError extends Error {
  override readonly name = 'ChainMismatchError';
}

const rewardSymbol = 'USDT';
const rewardDecimals = 6;
// The engine's amounts have 8 decimals; a chain's finer digits are cut off, and coarser ones fit.
const decimalsMax = 36;

/**
 * Checks chain, contracts, domains and tokens, and returns what it learned.
 * @throws ChainMismatchError, ChainUnavailableError
 */
export async function checkChain(
  node: ChainNode,
  expected: ChainExpectation,
): Promise<CheckedChain> {
  const { rewardRouter, referralRebate, spotVault } = expected.contracts;
  const chainId = await node.loadChainId();
  requireEqual('the chain id', chainId, expected.chainId);
  for (const address of [rewardRouter, referralRebate, spotVault]) {
    if ((await node.loadCode(address)) === '0x') {
      throw new ChainMismatchError(`there is no contract at ${address}`);
    }
  }
  await checkDomain(node, { ...expected, address: rewardRouter, name: expected.rewardDomainName });
  await checkDomain(node, { ...expected, address: spotVault, name: expected.vaultDomainName });
  const router = await readContract(node, {
    address: referralRebate,
    abi: referralRebateAbi,
    functionName: 'rewardRouter',
  });
  requireEqual("the register's reward router", fromHexAddress(router), rewardRouter);
  const usdt = await loadRewardToken(node, rewardRouter);
  return { usdt, ...(await loadTokens(node, spotVault, expected.assets)) };
}

/**
 * The vault's tokens under the names of the exchange.
 * @throws ChainUnavailableError
 */
export async function loadTokens(
  node: ChainNode,
  spotVault: Address,
  assets: readonly RegisteredAsset[] | null,
): Promise<NamedTokens> {
  const onChain = await loadVaultTokens(node, await loadSupported(node, spotVault));
  return assets === null ? nameThemselves(onChain) : nameByRegistry(onChain, assets);
}

/**
 * The tokens that the vault accepts.
 * @throws ChainUnavailableError
 */
export async function loadSupported(
  node: ChainNode,
  spotVault: Address,
): Promise<readonly Address[]> {
  const addresses = await readContract(node, {
    address: spotVault,
    abi: spotVaultAbi,
    functionName: 'supportedTokens',
  });
  return addresses.map((address) => fromHexAddress(address));
}

interface DomainExpectation extends Pick<ChainExpectation, 'chainId'> {
  readonly address: Address;
  readonly name: string;
}

async function checkDomain(
  node: ChainNode,
  { address, name, chainId }: DomainExpectation,
): Promise<void> {
  const [, domainName, version, domainChainId, verifyingContract] = await readContract(node, {
    address,
    abi: rewardRouterAbi,
    functionName: 'eip712Domain',
  });
  requireEqual(`the signing domain's name of ${address}`, domainName, name);
  requireEqual(`the signing domain's version of ${address}`, version, '1');
  requireEqual(`the signing domain's chain of ${address}`, Number(domainChainId), chainId);
  const contract = fromHexAddress(verifyingContract);
  requireEqual(`the signing domain's contract of ${address}`, contract, address);
}

async function loadRewardToken(node: ChainNode, rewardRouter: Address): Promise<ChainToken> {
  const address = fromHexAddress(
    await readContract(node, {
      address: rewardRouter,
      abi: rewardRouterAbi,
      functionName: 'usdt',
    }),
  );
  const { decimals } = await loadToken(node, address);
  requireEqual("the reward token's decimals", decimals, rewardDecimals);
  // The router pays in this token, whatever its own symbol is.
  return { symbol: rewardSymbol, address, decimals, areDepositsOn: true, areWithdrawalsOn: true };
}

async function loadVaultTokens(
  node: ChainNode,
  addresses: readonly Address[],
): Promise<readonly TokenOnChain[]> {
  return Promise.all(addresses.map((address) => loadToken(node, address)));
}

interface TokenOnChain {
  readonly address: Address;
  readonly decimals: number;
  /** The token's own symbol, unchecked. */
  readonly symbol: string;
}

async function loadToken(node: ChainNode, address: Address): Promise<TokenOnChain> {
  const [symbol, decimals] = await Promise.all([
    readContract(node, { address, abi: erc20Abi, functionName: 'symbol' }),
    readContract(node, { address, abi: erc20Abi, functionName: 'decimals' }),
  ]);
  return { symbol, address, decimals };
}

export type NamedTokens = Pick<CheckedChain, 'tokens' | 'assetFaults'>;

// An address has one name, the manifest's. A token of the vault that the manifest does not name is
// left out, so that its deposits wait.
function nameByRegistry(
  onChain: readonly TokenOnChain[],
  assets: readonly RegisteredAsset[],
): NamedTokens {
  const tokens: ChainToken[] = [];
  const assetFaults: string[] = [];
  for (const asset of assets) {
    const token = onChain.find(({ address }) => address === asset.address);
    const fault = faultOf(asset, token);
    if (fault !== null) assetFaults.push(`${asset.symbol}: ${fault}`);
    else tokens.push(asset);
  }
  for (const { address, symbol } of onChain) {
    if (assets.some((asset) => asset.address === address)) continue;
    assetFaults.push(`the manifest does not name the token ${address} (${symbol})`);
  }
  return { tokens, assetFaults };
}

function faultOf(asset: RegisteredAsset, token: TokenOnChain | undefined): string | null {
  if (token === undefined) return `the vault does not accept ${asset.address}`;
  if (token.decimals !== asset.decimals) {
    return `it has ${token.decimals} decimals, but the manifest says ${asset.decimals}`;
  }
  if (asset.onChainSymbol !== null && token.symbol !== asset.onChainSymbol) {
    return `its symbol is ${token.symbol}, but the manifest says ${asset.onChainSymbol}`;
  }
  return null;
}

function nameThemselves(onChain: readonly TokenOnChain[]): NamedTokens {
  const tokens: ChainToken[] = [];
  const assetFaults: string[] = [];
  for (const { symbol, address, decimals } of onChain) {
    const isTwice = onChain.filter((other) => other.symbol === symbol).length > 1;
    if (isTwice) assetFaults.push(`two tokens of the vault call themselves ${symbol}`);
    else if (!isTokenSymbol(symbol) || decimals > decimalsMax) {
      assetFaults.push(`the token ${address} has no usable symbol or decimals`);
    } else {
      tokens.push({ symbol, address, decimals, areDepositsOn: true, areWithdrawalsOn: true });
    }
  }
  return { tokens, assetFaults };
}

function requireEqual(what: string, actual: string | number, expected: string | number): void {
  if (actual !== expected) {
    throw new ChainMismatchError(`${what} is ${actual}, but the settings say ${expected}`);
  }
}
