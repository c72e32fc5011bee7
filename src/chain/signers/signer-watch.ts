import type { RaisedHalt, SignerRole } from '../../application/ports/chain-halts.ts';
import type { SignerHeadStore } from '../../application/ports/signer-log.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { ChainSigner, ChainSigners } from './chain-signer.ts';
import { BadSignatureError } from './checked-signer.ts';
import { SignerRefusedError } from './remote-signer.ts';

// Monitors the signers: refusals are counted, and signing is halted by a wrong signature, and by a
// log that is not the one whose heads were recorded with earlier signatures.

export interface SignerWatchOptions {
  /** Null: the logs are not compared. */
  readonly heads: SignerHeadStore | null;
  readonly raise: (halt: RaisedHalt) => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
}

const checkMs = 60_000;
/** Signers of others word their refusals as they like: further ones are counted together. */
const reasonsMax = 30;
const otherReason = 'other';
const wrongReason = 'wrong signature';

export class SignerWatch {
  readonly #options: SignerWatchOptions;
  readonly #refusals = new Map<string, number>();
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SignerWatchOptions) {
    this.#options = options;
  }

  /** How often signers refused, by their own words. */
  get refusals(): readonly (readonly [reason: string, count: number])[] {
    return [...this.#refusals];
  }

  /** The same signer, watched. */
  watch(signer: ChainSigner, role: SignerRole): ChainSigner {
    const observed = async <T>(work: Promise<T>, isTransaction = false): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        await this.#note(error, { role, isTransaction });
        throw error;
      }
    };
    return {
      ...signer,
      signReward: (...asked) => observed(signer.signReward(...asked)),
      signRelease: (...asked) => observed(signer.signRelease(...asked)),
      signTransaction: (...asked) => observed(signer.signTransaction(...asked), true),
    };
  }

  /**
   * Compares the signers' logs with the heads that were noted, at most once a minute. A signer that
   * does not answer, or keeps no log, shows nothing.
   * @throws DatabaseError
   */
  async check(signers: ChainSigners): Promise<void> {
    const { now, heads, raise } = this.#options;
    if (heads === null || now() - this.#checkedAt < checkMs) return;
    this.#checkedAt = now();
    for (const [role, signer] of bySigner(signers)) {
      const noted = await heads.findLast(signer.address);
      if (noted === null || signer.findLogHead === undefined) continue;
      const found = await signer.findLogHead(noted.signatures).catch((error: unknown) => {
        if (error instanceof SignerRefusedError) return undefined;
        throw error;
      });
      if (found === undefined || found === noted.head) continue;
      const detail = differenceOf(signer.address, noted.signatures, found);
      await raise({ kind: 'signer_log_differs', detail, role });
    }
  }

  async #note(
    error: unknown,
    { role, isTransaction }: { readonly role: SignerRole; readonly isTransaction: boolean },
  ): Promise<void> {
    const { raise } = this.#options;
    if (error instanceof BadSignatureError) {
      this.#count(wrongReason);
      const detail = `the ${role} signer: ${error.message}`;
      await raise({ kind: 'wrong_signature', detail, role });
    }
    if (!(error instanceof SignerRefusedError) || error.refusal === null) return;
    this.#count(error.refusal);
    // The service sends only what the policy allows: one of the two is not what it should be.
    if (!isTransaction) return;
    const detail = `the ${role} signer refuses a transaction: ${error.refusal}`;
    await raise({ kind: 'signer_refused', detail, role });
  }

  #count(reason: string): void {
    const isKnown = this.#refusals.has(reason) || this.#refusals.size < reasonsMax;
    const label = isKnown ? reason : otherReason;
    this.#refusals.set(label, (this.#refusals.get(label) ?? 0) + 1);
  }
}

/** Each signer once, with its role; null if one key has several. */
function bySigner(signers: ChainSigners): readonly [SignerRole | null, ChainSigner][] {
  const roles = ['settler', 'reward', 'vault'] as const;
  return roles.flatMap((role): [SignerRole | null, ChainSigner][] => {
    const signer = signers[role];
    const same = roles.filter((other) => signers[other].address === signer.address);
    return same[0] === role ? [[same.length === 1 ? role : null, signer]] : [];
  });
}

function differenceOf(signer: Address, signatures: number, found: string | null): string {
  return found === null
    ? `the log of the signer ${signer} has fewer than the ${signatures} signatures that were noted`
    : `the log of the signer ${signer} has another line at its signature ${signatures}`;
}
