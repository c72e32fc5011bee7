import { parseAbi } from 'viem';

/** EIP-1271: how a contract wallet confirms a signature. */
export const signatureValidatorAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
