import type { Address } from '../../domain/identifiers.ts';

/** How far a signer's log was, as the signer said with a signature. */
export interface SignerHead {
  /** Hash of the log's last line. */
  readonly head: string;
  /** How many signatures the log has. */
  readonly signatures: number;
}

/** The heads of the signers' logs, one beside each signature. */
export interface SignerHeadStore {
  /** @throws DatabaseError */
  note(signer: Address, head: SignerHead): Promise<void>;
  /** The head with the most signatures; null if none was noted. @throws DatabaseError */
  findLast(signer: Address): Promise<SignerHead | null>;
}
