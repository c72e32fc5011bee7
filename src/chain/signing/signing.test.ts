import { readFileSync } from 'node:fs';
import {
  encodeDeployData,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  maxUint256,
  parseAbi,
} from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { restoreChain } from '../../../test/support/chain/restore-chain.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import { ChainError, SigningError } from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { tokenAbi } from '../abi/token-abi.ts';
import type { ContractAddresses } from '../chain-addresses.ts';
import type { ChainAccess, ChainConnection } from '../chain-connection.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { fromHexAddress, toHexAddress } from '../evm-values.ts';
import {
  type ChainExpectation,
  ChainMismatchError,
  checkChain,
  type RegisteredAsset,
} from './check-chain.ts';
import { ChainRewardSigner } from './reward-signer.ts';
import { ChainVaultSigner } from './vault-signer.ts';

const symbolCall = encodeFunctionData({ abi: tokenAbi, functionName: 'symbol' });
const loadHaltFault = async (): Promise<string | null> => null;

anvilSuite('signing', () => {
  let chain: TestChain;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  restoreChain(() => chain);
  afterAll(() => chain.close());

  function expectation(changes: Partial<ChainExpectation> = {}): ChainExpectation {
    return {
      chainId: chain.chainId,
      contracts: chain.contracts,
      assets: null,
      rewardDomainName: 'ReferralRewardRouter',
      vaultDomainName: 'SpotVault',
      ...changes,
    };
  }

  function contractsWith(changes: Partial<ContractAddresses>): ContractAddresses {
    return { ...chain.contracts, ...changes };
  }

  function rewardDomain() {
    return {
      name: 'ReferralRewardRouter',
      chainId: chain.chainId,
      verifyingContract: chain.contracts.rewardRouter,
    };
  }

  test('checkChain: the configured chain yields its tokens', async () => {
    const { usdt, tokens } = await checkChain(chain.node, expectation());
    expect(usdt).toEqual({
      symbol: 'USDT',
      address: chain.contracts.usdt,
      decimals: 6,
      areDepositsOn: true,
      areWithdrawalsOn: true,
    });
    expect(tokens).toEqual([
      {
        symbol: 'USDT',
        address: chain.contracts.usdt,
        decimals: 6,
        areDepositsOn: true,
        areWithdrawalsOn: true,
      },
      {
        symbol: 'DF',
        address: chain.contracts.df,
        decimals: 18,
        areDepositsOn: true,
        areWithdrawalsOn: true,
      },
    ]);
  });

  // What a token reports about itself, as the service's node returns it.
  function renameTokens(symbolOf: (address: Address) => string | null): void {
    chain.proxy.setRule((method, [call]) => {
      const { to, data } = (call ?? {}) as { to?: string; data?: string };
      const symbol = data === symbolCall ? symbolOf((to ?? '') as Address) : null;
      if (method !== 'eth_call' || symbol === null) return null;
      const result = encodeFunctionResult({
        abi: tokenAbi,
        functionName: 'symbol',
        result: symbol,
      });
      return { kind: 'lie', result: () => result };
    });
  }

  const registered = (symbol: string, address: Address, decimals: number): RegisteredAsset => ({
    symbol,
    address,
    decimals,
    onChainSymbol: null,
    areDepositsOn: true,
    areWithdrawalsOn: true,
  });

  test('fault 30: a token is what the manifest says, USD₮0 and one that calls itself BTC too', async () => {
    const { usdt, df } = chain.contracts;
    renameTokens((address) => (address === usdt ? 'USD₮0' : 'BTC'));
    const assets = [
      { ...registered('USDT', usdt, 6), onChainSymbol: 'USD₮0' },
      { ...registered('DF', df, 18), areWithdrawalsOn: false },
    ];
    const checked = await checkChain(chain.node, expectation({ assets }));
    expect(checked).toMatchObject({ usdt: { symbol: 'USDT' }, assetFaults: [] });
    expect(checked.tokens.map(({ symbol }) => symbol)).toEqual(['USDT', 'DF']);
    // Nobody's manifest: the renamed token is no BTC of the exchange's choosing, and USDT is found.
    const bare = await checkChain(chain.node, expectation());
    expect(bare.assetFaults).toEqual([`the token ${usdt} has no usable symbol or decimals`]);
  });

  test('fault 30: changed decimals or a different name disable that asset; the others continue', async () => {
    const { usdt, df } = chain.contracts;
    const checked = await checkChain(
      chain.node,
      expectation({ assets: [registered('USDT', usdt, 8), registered('DF', df, 18)] }),
    );
    expect(checked.tokens.map(({ symbol }) => symbol)).toEqual(['DF']);
    expect(checked.assetFaults).toEqual(['USDT: it has 6 decimals, but the manifest says 8']);
    const renamed = { ...registered('DF', df, 18), onChainSymbol: 'DFX' };
    const other = await checkChain(chain.node, expectation({ assets: [renamed] }));
    expect(other.tokens).toEqual([]);
    expect(other.assetFaults).toEqual([
      'DF: its symbol is DF, but the manifest says DFX',
      `the manifest does not name the token ${usdt} (USDT)`,
    ]);
  });

  test('fault 30: of two tokens that call themselves USDT neither is used; the others continue', async () => {
    renameTokens(() => 'USDT');
    const checked = await checkChain(chain.node, expectation());
    expect(checked.tokens).toEqual([]);
    expect(checked.assetFaults[0]).toBe('two tokens of the vault call themselves USDT');
  });

  test.each([
    ['another chain id', () => expectation({ chainId: 1 }), /chain id is 31337.*say 1/],
    [
      'no contract at an address',
      () =>
        expectation({ contracts: contractsWith({ spotVault: `0x${'12'.repeat(20)}` as Address }) }),
      /no contract at 0x1212/,
    ],
    ['another domain name', () => expectation({ rewardDomainName: 'Other' }), /name.*Other/],
    [
      'router and vault changed about',
      () =>
        expectation({
          contracts: contractsWith({
            rewardRouter: chain.contracts.spotVault,
            spotVault: chain.contracts.rewardRouter,
          }),
        }),
      /name of 0x/,
    ],
  ])('checkChain: %s is refused', async (_, expected, text) => {
    const checking = checkChain(chain.node, expected());
    await expect(checking).rejects.toThrow(ChainMismatchError);
    await expect(checkChain(chain.node, expected())).rejects.toThrow(text);
  });

  test('checkChain: a reward token with other decimals is refused', async () => {
    const contracts = contractsWith({ rewardRouter: await deployRouterOver(chain.contracts.df) });
    // The register names this router, so that the check reaches its token.
    chain.proxy.setRule((method, [call]) => {
      const isRegister =
        method === 'eth_call' && (call as { to: string }).to === contracts.referralRebate;
      const answer = `0x${contracts.rewardRouter.slice(2).padStart(64, '0')}`;
      return isRegister ? { kind: 'lie', result: () => answer } : null;
    });
    await expect(checkChain(chain.node, expectation({ contracts }))).rejects.toThrow(
      /decimals is 18, but the settings say 6/,
    );
  });

  async function deployRouterOver(token: Address): Promise<Address> {
    const [owner] = await chain.client.getAddresses();
    const file = new URL('../../../contracts/bytecode/RewardRouterV1.json', import.meta.url);
    const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex };
    const args = [
      toHexAddress(token),
      owner ?? '0x',
      toHexAddress(chain.signer.address),
      'ReferralRewardRouter',
    ] as const;
    const abi = parseAbi([
      'constructor(address token, address owner, address operator, string name)',
    ]);
    const data = encodeDeployData({ abi, bytecode, args });
    const hash = await chain.client.sendTransaction({ account: owner ?? '0x', chain: null, data });
    const receipt = await minedReceipt(chain.client, hash);
    return fromHexAddress(receipt.contractAddress ?? '0x');
  }

  function connection(): ChainConnection {
    const token = {
      symbol: 'USDT',
      address: chain.contracts.usdt,
      decimals: 6,
      areDepositsOn: true,
      areWithdrawalsOn: true,
    };
    const { spotVault } = chain.contracts;
    return {
      node: chain.node,
      chainId: chain.chainId,
      contracts: chain.contracts,
      usdt: token,
      tokens: [token],
      rewardDomain: rewardDomain(),
      vaultDomain: { name: 'SpotVault', chainId: chain.chainId, verifyingContract: spotVault },
      version: 2,
      signers: chain.signers,
    };
  }

  const account = '0x00000000000000000000000000000000000000a1' as Address;
  const terms = { account, amount: toMicroUsdt(10n), nonce: 0, deadline: 2_000_000_000 };

  test('rewardSigner: it signs what the contract accepts, and reports nonce and chain time', async () => {
    const signer = new ChainRewardSigner({
      connection: connection(),
      signingFault: null,
      vaultFault: null,
      loadHaltFault,
    });
    const { nonce, blockSeconds } = await signer.loadStanding(account);
    const head = await chain.client.getBlock();
    expect({ nonce, blockSeconds }).toEqual({ nonce: 0, blockSeconds: Number(head.timestamp) });
    const signature = await signer.signRedemption(terms);
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/);
    expect(await signer.signRedemption(terms)).toBe(signature);
    expect(signer.contractAddress).toBe(chain.contracts.rewardRouter);
  });

  test('rewardSigner: with signing off nothing is signed', async () => {
    const access: ChainAccess = {
      connection: connection(),
      signingFault: 'no cap',
      vaultFault: 'no cap',
      loadHaltFault,
    };
    const signer = new ChainRewardSigner(access);
    await expect(signer.signRedemption(terms)).rejects.toThrow(SigningError);
    await expect(signer.loadStanding(account)).rejects.toThrow(SigningError);
    const vault = new ChainVaultSigner(access);
    await expect(
      vault.signRelease({ ...terms, token: chain.contracts.df, rawAmount: 1n }),
    ).rejects.toThrow(SigningError);
  });

  test('rewardSigner: without a chain both say so', async () => {
    const access: ChainAccess = {
      connection: null,
      signingFault: 'not connected',
      vaultFault: 'not connected',
      loadHaltFault,
    };
    const signer = new ChainRewardSigner(access);
    expect(signer.contractAddress).toBeNull();
    await expect(signer.loadStanding(account)).rejects.toThrow(ChainError);
    await expect(signer.signRedemption(terms)).rejects.toThrow(SigningError);
    const vault = new ChainVaultSigner(access);
    expect(vault.findToken('USDT')).toBeNull();
    await expect(vault.loadStanding(account)).rejects.toThrow(ChainError);
  });

  test('rewardSigner: a node that fails is a ChainError', async () => {
    const signer = new ChainRewardSigner({
      connection: connection(),
      signingFault: null,
      vaultFault: null,
      loadHaltFault,
    });
    chain.proxy.setRule(() => ({ kind: 'cut' }));
    await expect(signer.loadStanding(account)).rejects.toThrow(ChainError);
  });

  test('rewardSigner: an impossible amount is a SigningError', async () => {
    const signer = new ChainRewardSigner({
      connection: connection(),
      signingFault: null,
      vaultFault: null,
      loadHaltFault,
    });
    await expect(signer.signRedemption({ ...terms, amount: toMicroUsdt(0n) })).rejects.toThrow(
      SigningError,
    );
  });

  test('rewardSigner: above the redemptionMax that the owner has set nothing is signed', async () => {
    const signer = new ChainRewardSigner({
      connection: connection(),
      signingFault: null,
      vaultFault: null,
      loadHaltFault,
    });
    const [owner] = (await chain.client.getAddresses()) as [Hex];
    const limit = async (most: bigint) => {
      const hash = await chain.client.writeContract({
        account: owner,
        chain: null,
        address: toHexAddress(chain.contracts.rewardRouter),
        abi: parseAbi(['function setRedemptionMax(uint256 newMax)']),
        functionName: 'setRedemptionMax',
        args: [most],
      });
      await minedReceipt(chain.client, hash);
    };
    await limit(terms.amount - 1n);
    await expect(signer.signRedemption(terms)).rejects.toThrow(SigningError);
    await limit(terms.amount);
    await signer.signRedemption(terms);
    await limit(maxUint256);
  });

  test('vaultSigner: it knows the vault, its tokens and its nonces', async () => {
    const vault = new ChainVaultSigner({
      connection: connection(),
      signingFault: null,
      vaultFault: null,
      loadHaltFault,
    });
    expect(vault.contractAddress).toBe(chain.contracts.spotVault);
    expect(vault.findToken('USDT')?.decimals).toBe(6);
    expect(vault.findToken('BTC')).toBeNull();
    expect((await vault.loadStanding(account)).nonce).toBe(0);
    const release = { account, token: chain.contracts.df, rawAmount: 1n, nonce: 0, deadline: 9 };
    const { signature } = await vault.signRelease(release);
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/);
  });
});
