import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  parseUnits,
  toHex,
  zeroAddress,
} from 'viem';
import { referralRebateAbi } from '../../src/chain/abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../../src/chain/abi/reward-router-abi.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { contractCode } from '../../src/chain/development/contract-code.ts';
import { type DeploymentManifest, parseManifest } from '../../src/config/deployment-manifest.ts';
import { readJsonFile } from '../../src/config/read-json-file.ts';
import { contractAbi, guardedAbi } from './deployment-abi.ts';

// A deployment is a fixed list of transactions of one account, each under a fixed nonce. So its
// addresses are known before anything is sent, and no step can ever happen twice.

/** What deploy.json holds besides the fields of the manifest. */
const configSchema = Type.Object({
  /** Seconds during which an operation of the owner can be seen and cancelled. */
  timelockSeconds: Type.Integer({ minimum: 0, maximum: 2_592_000 }),
  /** `S`, in USDT: the maximum by which settlements raise totals at once. */
  settlementMax: Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,6})?$' }),
  rewardDomainName: Type.Optional(Type.String({ minLength: 1 })),
  vaultDomainName: Type.Optional(Type.String({ minLength: 1 })),
});

export interface DeploymentConfig extends Static<typeof configSchema> {
  /** Its contracts and its owner are known only from the plan. */
  readonly manifest: DeploymentManifest;
}

export interface DeploymentStep {
  readonly name: string;
  /** Null: a contract is created. */
  readonly to: Hex | null;
  readonly data: Hex;
  /** Of the contract that it creates. */
  readonly creates: Hex | null;
  /** The constructor's arguments as JSON; absent for a call. */
  readonly args?: string;
}

export interface DeploymentPlan {
  readonly deployer: Hex;
  readonly firstNonce: number;
  readonly chainId: number;
  readonly steps: readonly DeploymentStep[];
  readonly timelock: Hex;
  readonly contracts: Readonly<Record<keyof DeploymentManifest['contracts'], Hex>>;
  /** Over all of the above: confirming it confirms exactly this plan. */
  readonly hash: Hex;
}

const mainTimelockSeconds = 172_800;
/** The time in which a whole limit refills. */
export const windowSeconds = 86_400;
export const tierRebates = [1_000, 1_500, 2_000, 2_500, 3_000].map((totalRebateBps) => ({
  totalRebateBps,
  discountShareBps: 0,
}));

/** @throws Error that names the file and what is wrong with it. */
export function loadDeploymentConfig(path: string): DeploymentConfig {
  const value = readJsonFile(path) as Record<string, unknown>;
  const own = Object.keys(configSchema.properties);
  const extra = Object.fromEntries(Object.entries(value).filter(([key]) => own.includes(key)));
  if (!Value.Check(configSchema, extra)) {
    const problems = Value.Errors(configSchema, extra).map(
      ({ instancePath, message }) => `${instancePath || '/'} ${message}`,
    );
    throw new Error(`${path}: ${problems.join('; ')}`);
  }
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !own.includes(key)));
  // Placeholders for the addresses that the plan computes.
  const unknown = (seed: number) => ({
    address: toHex(seed, { size: 20 }),
    startBlock: 0,
    codeHash: null,
    predecessor: null,
  });
  const roles = { ...(rest['roles'] as object), owner: toHex(4, { size: 20 }) };
  const contracts = { rewardRouter: unknown(1), referralRebate: unknown(2), spotVault: unknown(3) };
  const { settlementMax } = extra;
  const parsed = parseManifest(JSON.stringify({ ...rest, settlementMax, roles, contracts }));
  if ('problems' in parsed) throw new Error(`${path}: ${parsed.problems.join('; ')}`);
  const { manifest } = parsed;
  if (manifest.kind === 'main' && extra.timelockSeconds < mainTimelockSeconds) {
    throw new Error(`${path}: /timelockSeconds must be at least 172800 on a main network`);
  }
  const fault = differentRoles(manifest);
  if (fault !== null) throw new Error(`${path}: ${fault}`);
  if (!manifest.assets.some(({ symbol }) => symbol === 'USDT')) {
    throw new Error(`${path}: /assets must name USDT`);
  }
  for (const { symbol, limit } of manifest.assets) {
    if (limit === undefined) throw new Error(`${path}: /assets ${symbol}: limit is required`);
  }
  return { ...extra, manifest };
}

/**
 * What is wrong with the holders of the roles on a main network. Each contract knows its own only,
 * and would accept one key for claims and withdrawals.
 */
function differentRoles({ kind, roles }: DeploymentManifest): string | null {
  if (kind === 'test' || roles === undefined) return null;
  const { settler, rewardSigner, vaultSigner, guardian, council, coldWallet } = roles;
  const holders = [settler, rewardSigner, vaultSigner, guardian, council, coldWallet];
  return new Set(holders).size < holders.length
    ? '/roles: one address has two of them, which a main network refuses'
    : null;
}

/** `S` in 10^-6 USDT. */
export function settlementMaxOf({ settlementMax }: DeploymentConfig): bigint {
  return parseUnits(settlementMax, 6);
}

/** The transactions of an account whose next nonce is this one. */
export function planDeployment(
  config: DeploymentConfig,
  deployer: Hex,
  firstNonce: number,
): DeploymentPlan {
  const at = (index: number) =>
    getContractAddress({ from: deployer, nonce: BigInt(firstNonce + index) });
  const [timelock, router, register, vault] = [at(0), at(1), at(2), at(3)];
  const steps: DeploymentStep[] = [
    ...creations(config, { deployer, timelock, router, register, vault }),
    limitSettlements(router, settlementMaxOf(config), windowSeconds),
    ...limitTokens(config.manifest.assets, vault),
    handOver('RewardRouter', router, timelock),
    handOver('ReferralRebate', register, timelock),
    handOver('SpotVault', vault, timelock),
  ];
  const { chainId } = config.manifest;
  const plan = { deployer, firstNonce, chainId, steps, timelock };
  const contracts = { rewardRouter: router, referralRebate: register, spotVault: vault };
  return { ...plan, contracts, hash: keccak256(toHex(JSON.stringify(plan))) };
}

interface PlannedAddresses {
  readonly deployer: Hex;
  readonly timelock: Hex;
  readonly router: Hex;
  readonly register: Hex;
  readonly vault: Hex;
}

function creations(
  { manifest, timelockSeconds, ...config }: DeploymentConfig,
  { deployer, timelock, router, register, vault }: PlannedAddresses,
): readonly DeploymentStep[] {
  const { roles, assets } = manifest;
  if (roles === undefined) throw new Error('the roles stand in the checked configuration');
  const usdt = assets.find(({ symbol }) => symbol === 'USDT')?.address;
  const rolesOf = (operator: string) => ({
    owner: deployer,
    council: roles.council,
    guardian: roles.guardian,
    operator,
  });
  const rewardName = config.rewardDomainName ?? 'ReferralRewardRouter';
  const vaultName = config.vaultDomainName ?? 'SpotVault';
  const proposers = [...new Set([roles.council, roles.coldWallet])];
  const ended = [roles.coldWallet, zeroAddress];
  const tokens = assets.map(({ address }) => address);
  return [
    create('Timelock', timelock, contractAbi('Timelock'), [
      timelockSeconds,
      proposers,
      [zeroAddress],
    ]),
    create('RewardRouter', router, rewardRouterAbi, [
      usdt,
      rolesOf(roles.rewardSigner),
      roles.settler,
      ...ended,
      rewardName,
    ]),
    create('ReferralRebate', register, referralRebateAbi, [
      router,
      rolesOf(roles.settler),
      tierRebates,
    ]),
    create('SpotVault', vault, spotVaultAbi, [
      tokens,
      rolesOf(roles.vaultSigner),
      ...ended,
      vaultName,
    ]),
  ];
}

/** The call that limits what settlements raise at once; `max` in 10^-6 USDT. */
export function limitSettlements(router: Hex, max: bigint, periodSeconds: number): DeploymentStep {
  const data = call(rewardRouterAbi, 'setSettlementLimit', [max, periodSeconds]);
  return { name: 'limit settlements', to: router, data, creates: null };
}

/** The calls that give a vault's tokens their limits. */
export function* limitTokens(
  assets: DeploymentManifest['assets'],
  vault: Hex,
): Iterable<DeploymentStep> {
  for (const { symbol, address, decimals, limit } of assets) {
    if (limit === undefined) continue;
    const raw = (amount: string) => parseUnits(amount, decimals);
    const limits = {
      instantMax: raw(limit.I),
      windowMax: raw(limit.W),
      floor: raw(limit.F),
      highMark: raw(limit.H),
      period: windowSeconds,
      delay: limit.D,
    };
    const data = call(spotVaultAbi, 'setLimit', [address, limits]);
    yield { name: `limit ${symbol}`, to: vault, data, creates: null };
  }
}

/** The call that offers a contract to its future owner. */
export function handOver(name: string, address: Hex, newOwner: Hex): DeploymentStep {
  const data = call(guardedAbi, 'transferOwnership', [newOwner]);
  return { name: `hand over ${name}`, to: address, data, creates: null };
}

/** The creation of a contract at an address that follows from the step's nonce. */
export function create(
  name: string,
  creates: Hex,
  abi: Abi,
  args: readonly unknown[],
): DeploymentStep {
  const data = encodeDeployData({ abi, bytecode: contractCode(name), args });
  return { name: `deploy ${name}`, to: null, data, creates, args: JSON.stringify(args) };
}

function call(abi: Abi, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args });
}
