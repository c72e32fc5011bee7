import { parseAbi } from 'viem';

/** EIP-1271: how a wallet that is a contract owns up to a signature. */
export const signatureValidatorAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
