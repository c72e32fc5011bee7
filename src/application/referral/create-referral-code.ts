import type { Address } from '../../domain/identifiers.ts';
import { codeBytesNeeded, generateReferralCode } from '../../programs/referral/referral-code.ts';
import type { CodeRefusal } from '../../programs/referral/referral-refusal.ts';
import { beginChange, type ReferralOutcome, type ReferralWritePorts } from './referral-use-case.ts';

export interface CreateCodePorts extends ReferralWritePorts {
  readonly randomBytes: (count: number) => Uint8Array;
}

export interface RequestedCode {
  readonly account: Address;
  /** Null: generate one. */
  readonly code: string | null;
}

// Two generated codes in a row that are taken are already improbable.
const generatedTriesMax = 5;

/**
 * Creates the caller's code, which makes it an agent; returns the code.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function createReferralCode(
  ports: CreateCodePorts,
  { account, code: wished }: RequestedCode,
): Promise<ReferralOutcome<string, CodeRefusal>> {
  const moment = await beginChange(ports, account);
  for (let tries = 1; ; tries += 1) {
    const code = wished ?? generateReferralCode(ports.randomBytes(codeBytesNeeded));
    const refusal = await ports.referral.createCode({ account, code }, moment);
    if (refusal === null) return { kind: 'done', value: code };
    const isRetried = wished === null && refusal === 'code_taken' && tries < generatedTriesMax;
    if (!isRetried) return { kind: 'refused', refusal };
  }
}
