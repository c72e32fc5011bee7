import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../application/ports/database.ts';
import type { Database } from '../database/open-database.ts';
import { findProjectedPosition } from '../database/projector/journal-end.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { engineFactory } from '../engine/engine.ts';
import { rulesVersion, rulesVersionMin } from '../engine/rules.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { findOtherRules, upgradePath } from '../journal/rules-version.ts';

/** The database lacks outcomes that only a program with other rules can produce. */
class UpgradeTooEarlyError extends Error {
  override readonly name = 'UpgradeTooEarlyError';
}

const retryMs = 500;

/**
 * The version of the rules at the end of the journal in the folder; null if this program has it.
 */
export function findRulesBefore(journalFolder: string): Promise<number | null> {
  return findOtherRules(nodeDisk, journalFolder, engineFactory);
}

/**
 * Resolves once the database is known to hold everything that other rules applied, after which
 * those rules are never needed again. Waits for a database that does not answer.
 * @throws UpgradeTooEarlyError if it holds less
 */
export async function requireAllProjected(
  database: Database,
  through: Sequence,
  version: number,
): Promise<void> {
  const held = await waitForPosition(database);
  if (held >= through) return;
  throw new UpgradeTooEarlyError(
    `the database holds everything up to ${held}, but commands up to ${through} were applied by ` +
      `version ${version} of the rules and this program has versions ${rulesVersionMin} to ` +
      `${rulesVersion}: ${upgradePath(engineFactory, version)}`,
  );
}

async function waitForPosition(database: Database): Promise<Sequence> {
  for (;;) {
    try {
      return (await findProjectedPosition(database)) ?? (0 as Sequence);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      await delay(retryMs);
    }
  }
}
