import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addressOf,
  mainRoles,
  mainManifest as manifest,
  register,
  router,
  usdt,
  vault,
} from '../../test/support/chain/main-manifest.ts';
import { buildConfig } from './config.ts';
import { type DeploymentManifest, parseManifest } from './deployment-manifest.ts';
import { InvalidSettingsError, readEnvironment } from './env.ts';

function problemsOf(value: unknown): readonly string[] {
  const parsed = parseManifest(JSON.stringify(value));
  return 'problems' in parsed ? parsed.problems : [];
}

test('manifest: the one in the documentation is valid; its addresses are read in lowercase', () => {
  const given = manifest();
  const [asset] = given.assets;
  const upper = { ...asset!, address: `0x${'AB'.repeat(20)}` };
  const parsed = parseManifest(JSON.stringify({ ...given, assets: [upper] }));
  expect(parsed).toMatchObject({ manifest: { assets: [{ address: `0x${'ab'.repeat(20)}` }] } });
});

test('manifest: kind test is refused on a chain that is not a known test network', () => {
  expect(problemsOf(manifest({ kind: 'test' }))).toEqual([
    '/kind must be main: chain id 42161 is not on the list of test networks',
  ]);
  expect(problemsOf(manifest({ kind: 'test', chainId: 421_614 }))).toEqual([]);
});

test('manifest: a main network without explicit values is refused', () => {
  const given = manifest();
  const bare = { ...given, feeCaps: undefined, settlementMax: undefined, roles: undefined };
  const unlimited = { ...given.assets[0], limit: undefined, R: undefined };
  expect(problemsOf({ ...bare, assets: [unlimited] })).toEqual([
    '/feeCaps is required on a main network',
    '/settlementMax is required on a main network',
    '/roles is required on a main network',
    '/assets USDT: limit and R are required on a main network',
  ]);
  const test = { ...bare, kind: 'test', chainId: 421_614, assets: [unlimited] };
  expect(problemsOf(test)).toEqual([]);
});

test('manifest: two assets with one symbol or address, or two contracts at one address, are refused', () => {
  const given = manifest();
  const [asset] = given.assets;
  const { contracts } = given;
  const twice = { ...given, assets: [asset, asset] };
  expect(problemsOf(twice)).toEqual([
    '/assets symbol USDT is repeated',
    `/assets address ${usdt} is repeated`,
  ]);
  const merged = { ...contracts, spotVault: contracts.rewardRouter };
  expect(problemsOf({ ...given, contracts: merged })).toEqual([
    `/contracts address ${router} is repeated`,
  ]);
});

test('manifest: limits that contradict each other or have more decimals than the token are refused', () => {
  const given = manifest();
  const [asset] = given.assets;
  const limit = { I: '3', W: '2', D: 86_400, F: '0.0000001', H: '0' };
  expect(problemsOf({ ...given, assets: [{ ...asset, limit }] })).toEqual([
    '/assets USDT: I must not be above W',
    '/assets USDT: F must not be above H',
    '/assets USDT: amounts have more than 6 decimals',
  ]);
});

test.each([
  ['no JSON', 'x', 'is not JSON'],
  ['another format', JSON.stringify({ ...manifest(), format: 2 }), '/format'],
  ['an unknown field', JSON.stringify({ ...manifest(), more: 1 }), 'additional'],
  ['a number as a float', JSON.stringify({ ...manifest(), startBlock: 1.5 }), '/startBlock'],
])('manifest: %s is refused', (_, text, words) => {
  const parsed = parseManifest(text);
  expect('problems' in parsed && parsed.problems.join()).toContain(words);
});

const signers = {
  SETTLER_SIGNER: `rpc:http://127.0.0.1:2#${mainRoles.settler}`,
  REWARD_SIGNER: `rpc:unix:/run/signer.sock#${mainRoles.rewardSigner}`,
  VAULT_SIGNER: `rpc:https://signer.example/#${mainRoles.vaultSigner}`,
};

function settingsOf(given: DeploymentManifest, changes: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'openbourse-manifest-'));
  const path = join(folder, 'manifest.json');
  writeFileSync(path, JSON.stringify(given));
  const settings = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://exchange.example',
    DATABASE_URL: 'postgres://127.0.0.1/exchange',
    JWT_SECRET: 'j'.repeat(32),
    SECRETS_KEY: '0'.repeat(64),
    DATA_DIR: folder,
    CHAIN_DEPLOYMENT: path,
    CHAIN_RPC_URLS: 'http://127.0.0.1:1,http://127.0.0.2:1,http://127.0.0.3:1',
    APPROVERS: `${addressOf('c1')},${addressOf('c2')}`,
    ...signers,
  };
  try {
    return { config: buildConfig(readEnvironment({ ...settings, ...changes })), problems: [] };
  } catch (error) {
    if (!(error instanceof InvalidSettingsError)) throw error;
    return { config: null, problems: error.problems };
  }
}

test('config: the manifest names chain, kind and contracts', () => {
  expect(settingsOf(manifest()).config?.chain).toMatchObject({
    chainId: 42_161,
    kind: 'main',
    deployment: { assets: [{ symbol: 'USDT' }] },
    rewardRouterAddress: router,
    spotVaultAddress: vault,
  });
});

test.each(['', 'development', 'test'])(
  'config: NODE_ENV=%s prevents the start on a main network only',
  (NODE_ENV) => {
    expect(settingsOf(manifest(), { NODE_ENV }).problems).toEqual([
      'NODE_ENV must be production on chain id 42161, where money is real',
    ]);
    const testNetwork = manifest({ kind: 'test', chainId: 421_614 });
    expect(settingsOf(testNetwork, { NODE_ENV }).problems).toEqual([]);
  },
);

test('config: settings that contradict the manifest prevent the start', () => {
  const addresses = {
    REWARD_ROUTER_ADDRESS: addressOf('c7'),
    REFERRAL_REBATE_ADDRESS: addressOf('c8'),
    SPOT_VAULT_ADDRESS: addressOf('c9'),
  };
  const changes = { ...addresses, CHAIN_ID: '1', TESTNET_ONLY: 'true' };
  expect(settingsOf(manifest(), changes).problems).toEqual([
    'REWARD_ROUTER_ADDRESS differs from CHAIN_DEPLOYMENT',
    'REFERRAL_REBATE_ADDRESS differs from CHAIN_DEPLOYMENT',
    'SPOT_VAULT_ADDRESS differs from CHAIN_DEPLOYMENT',
    'CHAIN_ID is 1, CHAIN_DEPLOYMENT is for 42161',
    'TESTNET_ONLY must not be true on chain id 42161: no test network',
  ]);
});

test('config: a main network has several providers, more than half of which have to agree', () => {
  const one = { CHAIN_RPC_URLS: '', CHAIN_RPC_URL: 'http://127.0.0.1:1' };
  expect(settingsOf(manifest(), one).problems).toEqual([
    'CHAIN_RPC_URLS is required on chain id 42161: at least two providers',
  ]);
  const both = { CHAIN_RPC_URL: 'http://127.0.0.9:1' };
  expect(settingsOf(manifest(), both).problems).toEqual([
    'CHAIN_RPC_URL and CHAIN_RPC_URLS must not both be set',
  ]);
  for (const urls of [
    'http://127.0.0.1:1',
    'http://127.0.0.1:1/key,http://127.0.0.1:1/other-key',
    'https://node.example,https://NODE.example:443/',
    'http://127.0.0.1:1,ftp://127.0.0.2:1',
    [1, 2, 3, 4, 5, 6].map((port) => `http://127.0.0.1:${port}`).join(),
  ]) {
    expect(settingsOf(manifest(), { CHAIN_RPC_URLS: urls }).problems).toEqual([
      'CHAIN_RPC_URLS must be 2 to 5 URLs of http:// or https://, each of another host',
    ]);
  }
  const ports = { CHAIN_RPC_URLS: 'http://127.0.0.1:1,http://127.0.0.2:1,http://127.0.0.1:2' };
  expect(settingsOf(manifest(), ports).problems).toEqual([
    'CHAIN_RPC_URLS must name different hosts on chain id 42161: a port is no provider',
  ]);
  const tried = manifest({ chainId: 421_614, kind: 'test' });
  expect(settingsOf(tried, ports).problems).toEqual([]);
  for (const quorum of ['1', '4']) {
    expect(settingsOf(manifest(), { CHAIN_QUORUM: quorum }).problems).toEqual([
      'CHAIN_QUORUM must be more than half of the 3 providers, and no more than all',
    ]);
  }
  expect(settingsOf(manifest()).config?.chain).toMatchObject({ quorum: 2 });
  expect(settingsOf(manifest(), { CHAIN_QUORUM: '3' }).config?.chain.quorum).toBe(3);
});

test('config: on a main network no block counts before it is final', () => {
  const none = { CHAIN_CONFIRMATIONS: '0' };
  expect(settingsOf(manifest({ finality: 'confirmations' }), none).problems).toEqual([
    'CHAIN_CONFIRMATIONS must not be 0 where the manifest names no block tag',
  ]);
  expect(settingsOf(manifest({ finality: 'finalized' }), none).config?.chain.confirmations).toBe(0);
});

test('config: the minimum of a withdrawal is the greater one of setting and manifest', () => {
  const programOf = (tokens: string) =>
    settingsOf(manifest(), { SPOT_WITHDRAW_TOKENS: tokens }).config?.program;
  const least = (usdt: string, df: string) => ({
    withdrawMinimums: new Map([
      ['USDT', usdt],
      ['DF', df],
    ]),
    perpWithdrawMinimum: usdt,
  });
  expect(programOf('USDT:4.99,DF:2')).toMatchObject(least('5', '2'));
  expect(programOf('USDT:5.01,DF:2')).toMatchObject(least('5.01', '2'));
  // The perp wallet's token can still be withdrawn from there.
  expect(programOf('DF:2')).toMatchObject({ perpWithdrawMinimum: '5' });
});

test('config: on a main network it must be possible to clear a halt', () => {
  expect(settingsOf(manifest(), { APPROVERS: '' }).problems).toEqual([
    'APPROVERS is required on chain id 42161: two people clear a halt',
  ]);
});

test('config: a chain with real money needs a manifest', () => {
  const chain = {
    CHAIN_DEPLOYMENT: '',
    CHAIN_ID: '42161',
    REWARD_ROUTER_ADDRESS: router,
    REFERRAL_REBATE_ADDRESS: register,
    SPOT_VAULT_ADDRESS: vault,
  };
  expect(settingsOf(manifest(), chain).problems).toEqual([
    'CHAIN_DEPLOYMENT is required on chain id 42161, where money is real',
  ]);
});

test('config: withdrawals are reviewed by default on a main network only', () => {
  expect(settingsOf(manifest()).config?.chain.areWithdrawalsReviewed).toBe(true);
  expect(settingsOf(manifest(), { WITHDRAWAL_REVIEW: 'false' }).problems).toEqual([
    'WITHDRAWAL_REVIEW must not be false on a main network',
  ]);
  const testNetwork = manifest({ kind: 'test', chainId: 11_155_111 });
  expect(settingsOf(testNetwork).config?.chain.areWithdrawalsReviewed).toBe(false);
  const on = { WITHDRAWAL_REVIEW: 'true' };
  expect(settingsOf(testNetwork, on).config?.chain.areWithdrawalsReviewed).toBe(true);
  const [asset] = testNetwork.assets;
  const unlimited = { ...asset! };
  delete unlimited.limit;
  const settings = { ...on, APPROVERS: '' };
  const { problems } = settingsOf({ ...testNetwork, assets: [unlimited] }, settings);
  expect(problems).toEqual([
    'WITHDRAWAL_REVIEW needs APPROVERS: two people approve',
    'WITHDRAWAL_REVIEW needs limit and R of USDT in CHAIN_DEPLOYMENT',
  ]);
});
