import type { UpgradeRules } from './commands.ts';
import type { EngineState } from './engine-state.ts';
import type { FuturesState } from './futures/futures-state.ts';
import { adoptPositions } from './futures/orders/adopt-positions.ts';
import { forgetChanges } from './futures/report-risk.ts';
import { type Rules, toRules } from './rules.ts';

/**
 * Applies all further commands by these rules. Rules that are not newer than the state's change
 * nothing.
 *
 * @throws AssertionError if this program does not have these rules
 */
export function upgradeRules(state: EngineState, { rules }: UpgradeRules): null {
  const next = toRules(rules);
  if (next <= state.rules) return null;
  const from = state.rules;
  enterRules(state, next);
  state.outcome.push({ type: 'rulesUpgraded', from, to: next });
  return null;
}

function enterRules(state: EngineState, rules: Rules): void {
  const { rules: from, futures } = state;
  state.rules = rules;
  if (from < 12 && rules >= 12) {
    adoptPositions(futures);
    forgetChanges(futures);
  }
  if (rules >= 13) {
    futures.riskQueue.releaseNear();
    renewStakes(futures);
  }
}

/** What has been computed by the former rules is computed again. */
function renewStakes(futures: FuturesState): void {
  futures.markEpoch += 1;
  for (const market of futures.markets) market.markVersion += 1;
}
