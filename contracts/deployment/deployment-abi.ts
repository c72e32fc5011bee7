import { readFileSync } from 'node:fs';
import { type Abi, parseAbi } from 'viem';

/** What all contracts of the exchange answer of their roles. */
export const guardedAbi = parseAbi([
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function council() view returns (address)',
  'function operator() view returns (address)',
  'function isGuardian(address account) view returns (bool)',
  'function settler() view returns (address)',
  'function coldWallet() view returns (address)',
  'function transferOwnership(address newOwner)',
  'function acceptOwnership()',
]);

export const timelockAbi = parseAbi([
  'function getMinDelay() view returns (uint256)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
  'function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)',
  'function hashOperationBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) pure returns (bytes32)',
  'function isOperation(bytes32 id) view returns (bool)',
  'function isOperationReady(bytes32 id) view returns (bool)',
  'function isOperationDone(bytes32 id) view returns (bool)',
  'function getTimestamp(bytes32 id) view returns (uint256)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) payable',
]);

/** The ABI that stands beside the sources. */
export function contractAbi(name: string): Abi {
  const file = new URL(`../abi/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Abi;
}
