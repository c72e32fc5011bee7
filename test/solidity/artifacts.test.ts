import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Abi, toEventSignature, toFunctionSignature } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import {
  artifactsOf,
  type CompiledContract,
  compileContracts,
  contractNames,
  contractsFolder,
} from '../../contracts/compile-contracts.ts';
import { referralRebateAbi } from '../../src/chain/abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../../src/chain/abi/reward-router-abi.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import { tokenAbi } from '../../src/chain/abi/token-abi.ts';

let compiled: ReadonlyMap<string, CompiledContract>;

beforeAll(() => {
  compiled = new Map(compileContracts().map((contract) => [contract.name, contract]));
});

function committed(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(contractsFolder, folder, `${name}.json`), 'utf8'));
}

test.each(contractNames)('artifacts: %s equals what its source compiles to', (name) => {
  const contract = compiled.get(name);
  assert(contract !== undefined);
  for (const [folder, content] of Object.entries(artifactsOf(contract))) {
    expect(committed(folder, name)).toEqual(content);
  }
});

test.each(contractNames)(
  "artifacts: %s fits into the 24,576 bytes of the chain's limit",
  (name) => {
    expect(compiled.get(name)?.runtimeBytes).toBeGreaterThan(0);
    expect(compiled.get(name)?.runtimeBytes).toBeLessThanOrEqual(24_576);
  },
);

type AbiEntry = Abi[number];

// The shape that callers depend on: kind, name, types and, for answers, the names of the parts.
function signatureOf(entry: AbiEntry): string {
  const types = (list: readonly { type: string }[]) => list.map(({ type }) => type).join(',');
  switch (entry.type) {
    case 'function': {
      const answers = entry.outputs.map(({ type, name }) => `${type} ${name ?? ''}`).join(',');
      const words = entry.outputs.length > 1 ? answers : types(entry.outputs);
      const mutability = entry.stateMutability === 'pure' ? 'view' : entry.stateMutability;
      return `function ${toFunctionSignature(entry)} ${mutability} ${words}`;
    }
    case 'event': {
      const indexed = entry.inputs.map((input) => (input.indexed === true ? 1 : 0)).join('');
      return `event ${toEventSignature(entry)} ${indexed}`;
    }
    case 'error':
      return `error ${entry.name}(${types(entry.inputs)})`;
    case 'constructor':
      return `constructor(${types(entry.inputs)})`;
    case 'fallback':
    case 'receive':
      return entry.type;
  }
}

test.each([
  ['RewardRouter', rewardRouterAbi],
  ['ReferralRebate', referralRebateAbi],
  ['SpotVault', spotVaultAbi],
  ['TestUSDT', tokenAbi],
  ['TestDF', tokenAbi],
] as const)("artifacts: the service's ABI of %s is correct", (name, abi) => {
  // The service speaks to both versions of a contract.
  const versions = contractNames.filter((each) => each === name || each === `${name}V1`);
  const actual = new Set(
    versions.flatMap((version) => (committed('abi', version) as Abi).map(signatureOf)),
  );
  const unknown = (abi as Abi).map(signatureOf).filter((signature) => !actual.has(signature));
  expect(unknown).toEqual([]);
});
