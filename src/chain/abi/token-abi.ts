import { parseAbi } from 'viem';

/**
 * What the service calls of a token: ERC-20, and what only the test tokens have. A test compares it
 * with contracts/abi.
 */
export const tokenAbi = parseAbi([
  'constructor()',
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
]);
