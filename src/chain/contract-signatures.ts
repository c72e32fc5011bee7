import { decodeFunctionResult, encodeFunctionData, hashMessage, size } from 'viem';
import type { ContractSignatures, SignatureClaim } from '../application/ports/accounts.ts';
import type { Logger } from '../observability/log.ts';
import { signatureValidatorAbi } from './abi/signature-validator-abi.ts';
import type { ChainAccess } from './chain-connection.ts';
import { ChainRevertedError } from './node/chain-node.ts';
import { ChainUnavailableError } from './node/json-rpc.ts';

// A contract's answer if it accepts the signature as its own.
const validAnswer = '0x1626ba7e';

/** Verifies signatures of contract wallets (EIP-1271) at the latest block. */
export class ChainContractSignatures implements ContractSignatures {
  readonly #access: ChainAccess;
  readonly #log: Logger;

  constructor(access: ChainAccess, log: Logger) {
    this.#access = access;
    this.#log = log;
  }

  /** False, with a log entry, while the chain does not answer, since nothing is proven then. */
  async verify({ address, message, signature }: SignatureClaim): Promise<boolean> {
    const node = this.#access.connection?.node;
    if (node === undefined) {
      this.#log.warn({ address }, "a contract's signature cannot be checked: no chain");
      return false;
    }
    const args = [hashMessage(message), signature] as const;
    const data = encodeFunctionData({ abi: signatureValidatorAbi, args });
    try {
      const answer = await node.call({ to: address, data });
      // An address without code returns nothing.
      if (size(answer) !== wordBytes) return false;
      return decodeFunctionResult({ abi: signatureValidatorAbi, data: answer }) === validAnswer;
    } catch (error) {
      if (error instanceof ChainRevertedError) return false;
      if (!(error instanceof ChainUnavailableError)) throw error;
      this.#log.warn({ err: error, address }, "a contract's signature could not be checked");
      return false;
    }
  }
}

const wordBytes = 32;
