import { parseAbi } from 'viem';

/** What the service uses of contracts/src/SpotVault.sol; a test holds it to contracts/abi. */
export const spotVaultAbi = parseAbi([
  'function deposit(address token, uint256 amount)',
  'function release(address token, uint256 amount, uint256 nonce, uint256 deadline, bytes signature)',
  'function releaseDigest(address account, address token, uint256 value, uint256 nonce, uint256 deadline) view returns (bytes32)',
  'function releaseNonce(address account) view returns (uint256)',
  'function depositCount(address account) view returns (uint256)',
  'function isSupported(address token) view returns (bool)',
  'function supportedTokens() view returns (address[])',
  'function operator() view returns (address)',
  'function paused() view returns (bool)',
  'function pause()',
  'function unpause()',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'event Deposited(address indexed account, address indexed token, uint256 amount, uint256 number)',
  'event Released(address indexed account, address indexed token, uint256 amount, uint256 nonce)',
  'error EnforcedPause()',
  'error InvalidNonce(address account, uint256 expected, uint256 given)',
  'error InvalidSigner(address recovered)',
  'error SignatureExpired(uint256 deadline)',
  'error TokenNotSupported(address token)',
  'error ZeroAmount()',
]);
