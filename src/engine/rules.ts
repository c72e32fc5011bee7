import { assert } from '../domain/assert.ts';

// The state says by which rules its next command is applied, and only the journaled command
// `upgradeRules` changes that. A program has the newest rules and earlier ones, so it can replay a
// journal across an upgrade and gives the outcomes that the engine gave.
//
// To change a rule (anything after which the same commands give other events or another state):
//
// 1. Put both forms into a table beside the code that uses it, and take the form of the state's
//    rules. `state.rules` is there on the spot side, `futures.rules` on the futures side:
//
//      const coverOf: ByRules<(order: LiveOrder) => number> = {
//        11: ofParent,
//        12: ofPosition,
//        13: ofPosition,
//      };
//      const cover = coverOf[futures.rules](order);
//
// 2. If the newer rules need something in the state that the older ones do not keep, fill it in
//    `enterRules` (upgrade-rules.ts), which runs once, when the command is applied.
// 3. `test/golden/rules` holds a journal of each version. That of the older rules must pass
// unchanged; that of the newest is made again as long as no program with it has been released.
//
// A new version of the rules takes the number above. The compiler then names every table that has
// to change. The oldest version leaves the type together with the state versions that need it.

/** The versions of the rules that this program has. */
export type Rules = 11 | 12 | 13;

/** One form of a rule for each version. */
export type ByRules<T> = Readonly<Record<Rules, T>>;

export const rulesVersion = 13 satisfies Rules;
/** The oldest rules that this program has. */
export const rulesVersionMin = 11 satisfies Rules;

/** @throws AssertionError if this program does not have these rules. */
export function toRules(version: number): Rules {
  const isKnown = version >= rulesVersionMin && version <= rulesVersion;
  assert(isKnown, `the rules ${version} are none of ${rulesVersionMin} to ${rulesVersion}`);
  return version as Rules;
}
