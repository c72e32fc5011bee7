import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, type PublicClient, parseEther } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { acceptanceCalls, writeManifest } from '../../../contracts/deployment/finish.ts';
import {
  type DeploymentConfig,
  type DeploymentPlan,
  loadDeploymentConfig,
  planDeployment,
} from '../../../contracts/deployment/plan.ts';
import { connect, runPlan } from '../../../contracts/deployment/run-plan.ts';
import { type AnvilProcess, startAnvil } from '../../../src/chain/development/anvil-process.ts';
import { contractCode } from '../../../src/chain/development/contract-code.ts';
import {
  createDevelopmentClient,
  type DevelopmentClient,
} from '../../../src/chain/development/deploy-contracts.ts';
import { minedReceipt } from '../../../src/chain/development/mined-receipt.ts';
import type { DeploymentManifest } from '../../../src/config/deployment-manifest.ts';
import { Multisig } from './multisig.ts';

export const mainChainId = 42_161;
export const timelockSeconds = 172_800;

/** A chain with a main network's id, a multisig as the council, and keys for the hot roles. */
export class MainNetwork {
  readonly anvil: AnvilProcess;
  readonly chain: DevelopmentClient;
  readonly client: PublicClient;
  /** The chain's own accounts: the first three own the council, the fourth is the cold wallet. */
  readonly owners: readonly Hex[];
  readonly council: Multisig;
  readonly usdt: Hex;
  readonly folder: string;
  readonly settler = newKey();
  readonly rewardSigner = newKey();
  readonly vaultSigner = newKey();

  private constructor(parts: Pick<MainNetwork, 'anvil' | 'chain' | 'owners' | 'council' | 'usdt'>) {
    this.anvil = parts.anvil;
    this.chain = parts.chain;
    this.client = connect(parts.anvil.rpcUrl);
    this.owners = parts.owners;
    this.council = parts.council;
    this.usdt = parts.usdt;
    this.folder = mkdtempSync(join(tmpdir(), 'openbourse-main-'));
  }

  static async start(): Promise<MainNetwork> {
    const anvil = await startAnvil({ chainId: mainChainId, port: 0, stateFile: null });
    const chain = createDevelopmentClient(anvil.rpcUrl);
    const owners = await chain.getAddresses();
    const council = await Multisig.deploy(chain, owners.slice(0, 3), 2n);
    const data = contractCode('TestUSDT');
    const hash = await chain.sendTransaction({ account: owners[0]!, chain: null, data });
    const usdt = (await minedReceipt(chain, hash)).contractAddress!;
    const network = new MainNetwork({ anvil, chain, owners, council, usdt });
    await network.fund(network.settler.account.address);
    return network;
  }

  async stop(): Promise<void> {
    await this.anvil.stop();
    rmSync(this.folder, { recursive: true });
  }

  get coldWallet(): Hex {
    return this.owners[3]!;
  }

  get guardian(): Hex {
    return this.owners[4]!;
  }

  fund(address: Hex): Promise<void> {
    return this.chain.setBalance({ address, value: parseEther('10') });
  }

  /** The path of a deploy.json. */
  writeConfig(changes: object = {}): string {
    const path = join(this.folder, 'deploy.json');
    writeFileSync(path, JSON.stringify({ ...this.config(), ...changes }));
    return path;
  }

  /** The content of a deploy.json. */
  config() {
    return {
      format: 1,
      chainId: mainChainId,
      kind: 'main',
      finality: 'finalized',
      proofs: 'required',
      startBlock: 0,
      timelockSeconds,
      settlementMax: '100000',
      feeCaps: { maxFeePerGasGwei: '50', perTransaction: '0.02', perDay: '0.5' },
      roles: {
        council: this.council.address,
        coldWallet: this.coldWallet,
        guardian: this.guardian,
        settler: this.settler.account.address,
        rewardSigner: this.rewardSigner.account.address,
        vaultSigner: this.vaultSigner.account.address,
      },
      assets: [
        {
          symbol: 'USDT',
          address: this.usdt,
          decimals: 6,
          onChainSymbol: 'USDT',
          startBlock: 0,
          deposits: true,
          withdrawals: true,
          R: '25000',
          limit: { I: '25000', W: '250000', D: 86_400, F: '300000', H: '1250000' },
        },
      ],
    };
  }

  async newDeployer(): Promise<{ readonly key: Hex; readonly account: PrivateKeyAccount }> {
    const deployer = newKey();
    await this.fund(deployer.account.address);
    return deployer;
  }

  /** Deploys all and has the timelock take it over; the manifest and its file. */
  async deploy(): Promise<{ readonly manifest: DeploymentManifest; readonly path: string }> {
    const config = loadDeploymentConfig(this.writeConfig());
    const { account } = await this.newDeployer();
    const plan = planDeployment(config, account.address, 0);
    const receipts = await runPlan(this.client, account, plan, join(this.folder, 'first.pending'));
    const path = join(this.folder, 'first.json');
    const manifest = await writeManifest(this.client, config, { plan, receipts, path });
    await this.accept(config, plan);
    return { manifest, path };
  }

  /** The council has the timelock take over what is handed over to it. */
  async accept(config: DeploymentConfig, plan: DeploymentPlan): Promise<void> {
    const { schedule, execute } = acceptanceCalls(plan, config.timelockSeconds);
    await this.byCouncil(schedule.to, schedule.data);
    expect(await this.byAnybody(execute.to, execute.data)).toBe('reverted');
    await this.passTimelock();
    expect(await this.byAnybody(execute.to, execute.data)).toBe('success');
  }

  async passTimelock(): Promise<void> {
    await this.chain.increaseTime({ seconds: timelockSeconds });
    await this.chain.mine({ blocks: 1 });
  }

  /** Two of the three make a call. */
  async byCouncil(to: Hex, data: Hex): Promise<void> {
    await this.council.confirm(this.owners[0]!, to, data);
    await this.council.confirm(this.owners[2]!, to, data);
  }

  byAnybody(to: Hex, data: Hex): Promise<'success' | 'reverted'> {
    return this.by(this.owners[9]!, to, data);
  }

  /** One of the chain's accounts, or one that it plays, makes a call. */
  async by(account: Hex, to: Hex, data: Hex): Promise<'success' | 'reverted'> {
    const call = { account, chain: null, to, data, gas: 1_000_000n };
    const hash = await this.chain.sendTransaction(call);
    return (await minedReceipt(this.chain, hash)).status;
  }
}

function newKey() {
  const key = generatePrivateKey();
  return { key, account: privateKeyToAccount(key) };
}
