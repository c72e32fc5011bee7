import type { EngineAudit } from './audit-view.ts';
import { findCloseOutViolations } from './futures/close-out-audit.ts';
import { findFuturesViolations } from './futures/futures-invariants.ts';
import type { FuturesReader } from './futures/futures-reader.ts';
import { findSolvencyViolations } from './futures/solvency-audit.ts';
import { findViolations } from './invariants.ts';

/** What `auditEngine` needs of an engine. */
export interface AuditedEngine extends EngineAudit {
  readonly futures: FuturesReader;
  /** The whole state, as a snapshot holds it. */
  encodeState(): Uint8Array;
}

/**
 * Checks every rule that must hold between any two commands, over the whole state: the invariants
 * of both sides of the exchange, solvency, and that the state is canonical, that is, that a state
 * restored from its bytes encodes to the same bytes.
 *
 * @returns a description of each broken rule; empty if all hold.
 */
export function auditEngine(
  engine: AuditedEngine,
  restore: (bytes: Uint8Array) => Pick<AuditedEngine, 'encodeState'>,
): readonly string[] {
  const broken = [
    ...findViolations(engine),
    ...findFuturesViolations(engine.futures),
    ...findSolvencyViolations(engine.futures),
    ...findCloseOutViolations(engine.futures),
  ].map(({ invariant, detail }) => `${invariant}: ${detail}`);
  const bytes = engine.encodeState();
  if (!areEqual(bytes, restore(bytes).encodeState())) {
    broken.push('state-canonical: a restored state has other bytes');
  }
  return broken;
}

function areEqual(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && first.every((byte, at) => byte === second[at]);
}
