import type { Address } from '../../domain/identifiers.ts';
import { isTokenSymbol } from '../../domain/identifiers.ts';
import { referralRebateAbi } from '../abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { testTokenAbi } from '../abi/test-token-abi.ts';
import type { ChainToken, ContractAddresses } from '../chain-addresses.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress } from '../evm-values.ts';
import type { ChainNode } from '../node/chain-node.ts';

// Whether the chain behind the settings is the one that is meant. A wrong chain id or address would
// make signatures that are good somewhere else, and a token with other decimals would be off by
// powers of ten, so nothing is signed or counted before all of this is right.

export interface ChainExpectation {
  readonly chainId: number;
  readonly contracts: ContractAddresses;
  readonly rewardDomainName: string;
  readonly vaultDomainName: string;
}

export interface CheckedChain {
  readonly usdt: ChainToken;
  /** What the vault takes, USDT among them where it does. */
  readonly tokens: readonly ChainToken[];
}

/** The settings and the chain contradict each other; the text says where. */
export class ChainMismatchError extends Error {
  override readonly name = 'ChainMismatchError';
}

const rewardDecimals = 6;
// The engine's amounts have 8 decimals; a chain's finer ones are cut, coarser ones fit.
const decimalsMax = 36;

/**
 * Checks chain, contracts, domains and tokens, and answers what it learned.
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
  return { usdt, tokens: await loadVaultTokens(node, spotVault) };
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
  const token = await loadToken(node, address);
  requireEqual("the reward token's decimals", token.decimals, rewardDecimals);
  return token;
}

async function loadVaultTokens(
  node: ChainNode,
  spotVault: Address,
): Promise<readonly ChainToken[]> {
  const addresses = await readContract(node, {
    address: spotVault,
    abi: spotVaultAbi,
    functionName: 'supportedTokens',
  });
  const tokens = await Promise.all(
    addresses.map((address) => loadToken(node, fromHexAddress(address))),
  );
  const symbols = new Set(tokens.map(({ symbol }) => symbol));
  if (symbols.size < tokens.length) {
    throw new ChainMismatchError('two tokens of the vault have one symbol');
  }
  return tokens;
}

async function loadToken(node: ChainNode, address: Address): Promise<ChainToken> {
  const [symbol, decimals] = await Promise.all([
    readContract(node, { address, abi: testTokenAbi, functionName: 'symbol' }),
    readContract(node, { address, abi: testTokenAbi, functionName: 'decimals' }),
  ]);
  if (!isTokenSymbol(symbol) || decimals > decimalsMax) {
    throw new ChainMismatchError(`the token ${address} has no usable symbol or decimals`);
  }
  return { symbol, address, decimals };
}

function requireEqual(what: string, actual: string | number, expected: string | number): void {
  if (actual !== expected) {
    throw new ChainMismatchError(`${what} is ${actual}, the settings say ${expected}`);
  }
}
