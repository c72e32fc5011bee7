import { parseAbi } from 'viem';

/**
 * What the service uses of contracts/src/ReferralRebate.sol; a test compares it with contracts/abi.
 */
export const referralRebateAbi = parseAbi([
  'struct Roles { address owner; address council; address guardian; address operator; }',
  'struct Rebate { uint16 totalRebateBps; uint16 discountShareBps; }',
  'struct RebateOverride { bool isSet; uint16 totalRebateBps; uint16 discountShareBps; }',
  'constructor(address router, Roles roles, Rebate[5] initialTiers)',
  'function setTier(uint8 level, Rebate rebate)',
  'function registerCodes(bytes32[] codes, address[] owners)',
  'function bindTraders(address[] traders, bytes32[] codes)',
  'function setTierLevels(address[] accounts, uint8[] levels)',
  'function setRebateOverrides(address[] referrers, RebateOverride[] overrides)',
  'function multicall(bytes[] data) returns (bytes[] results)',
  'function userRebate(address account) view returns (uint256 claimedTotal, uint256 nonce, bytes32 code, address referrer, uint8 level)',
  'function traderReferral(address trader) view returns (bytes32 code, address referrer, uint16 totalRebateBps, uint16 traderDiscountBps, uint16 affiliateRewardBps)',
  'function claimed(address account) view returns (uint256)',
  'function operator() view returns (address)',
  'function rewardRouter() view returns (address)',
  'error CodeTaken(bytes32 code, address owner)',
  'error EnforcedPause()',
  'error InvalidBps(uint256 bps)',
  'error InvalidCode(bytes32 code, address owner)',
  'error InvalidTier(uint256 level)',
  'error LengthMismatch(uint256 first, uint256 second)',
  'error NotOperator(address caller)',
  'error SelfReferral(address trader)',
  'error UnknownCode(bytes32 code)',
]);
