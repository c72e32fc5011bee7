import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RegisteredAsset } from '../chain/signing/check-chain.ts';
import type { Config } from '../config/config.ts';
import { loadManifest } from '../config/deployment-manifest.ts';
import { createLogger } from '../observability/log.ts';
import { assetsReader } from './manifest-assets.ts';

const addressOf = (seed: number) => `0x${seed.toString(16).padStart(40, '0')}`;
const contract = (seed: number) => ({
  address: addressOf(seed),
  startBlock: 1,
  codeHash: `0x${'ab'.repeat(32)}`,
  predecessor: null,
});
const usdt = {
  symbol: 'USDT',
  address: addressOf(0xa1),
  decimals: 6,
  onChainSymbol: 'USD₮0',
  startBlock: 1,
  deposits: true,
  withdrawals: true,
  minDeposit: '5',
  minWithdrawal: '5',
};
const added = { ...usdt, symbol: 'DF', address: addressOf(0xa2), decimals: 18 };

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'manifest-'));
  path = join(folder, '31337.json');
  write([usdt]);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(assets: readonly object[]): void {
  const contracts = {
    rewardRouter: contract(1),
    referralRebate: contract(2),
    spotVault: contract(3),
  };
  const chain = { chainId: 31_337, kind: 'test', finality: 'confirmations', proofs: 'quorum' };
  const manifest = { format: 1, ...chain, startBlock: 1, contracts, assets };
  writeFileSync(path, JSON.stringify(manifest));
}

function open(view = ({ symbol, decimals }: RegisteredAsset): unknown[] => [symbol, decimals]) {
  const loaded = loadManifest(path);
  if (!('manifest' in loaded)) throw new Error(loaded.problems.join());
  const config = { chain: { deployment: loaded.manifest, deploymentPath: path } };
  const read = assetsReader(config as unknown as Config, createLogger('silent'));
  return () => read?.().map(view);
}

test('manifest: an asset that is added while the service runs is registered', () => {
  const read = open();
  expect(read()).toEqual([['USDT', 6]]);
  write([usdt, added]);
  expect(read()).toEqual([
    ['USDT', 6],
    ['DF', 18],
  ]);
});

test('manifest: what is added is withdrawn only after a start, which reads its minimum', () => {
  const read = open(({ symbol, isAddedLater }) => [symbol, isAddedLater]);
  write([usdt, added]);
  const later = [
    ['USDT', undefined],
    ['DF', true],
  ];
  expect(read()).toEqual(later);
  expect(read()).toEqual(later);
  const restarted = open(({ symbol, isAddedLater }) => [symbol, isAddedLater]);
  expect(restarted()).toEqual([
    ['USDT', undefined],
    ['DF', undefined],
  ]);
});

test('manifest: what is registered neither changes nor ends while the service runs', () => {
  const read = open();
  write([
    { ...usdt, decimals: 18 },
    { ...added, symbol: 'USDT' },
  ]);
  expect(read()).toEqual([['USDT', 6]]);
  write([added]);
  expect(read()).toEqual([
    ['USDT', 6],
    ['DF', 18],
  ]);
});

test('manifest: while it cannot be read, the known assets stay', () => {
  const read = open();
  writeFileSync(path, '{ "format": 1,');
  expect(read()).toEqual([['USDT', 6]]);
  rmSync(path);
  expect(read()).toEqual([['USDT', 6]]);
  write([usdt, added]);
  expect(read()).toHaveLength(2);
});

test('manifest: without one there is nothing to read again', () => {
  const config = { chain: { deployment: null, deploymentPath: null } };
  expect(assetsReader(config as unknown as Config, createLogger('silent'))).toBeUndefined();
});
