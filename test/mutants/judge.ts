import { parentPort } from 'node:worker_threads';
import fc from 'fast-check';
import { runAlone, schemes } from '../simulation/adversaries/run-all.ts';
import { futuresAction, stressAction } from '../simulation/futures/futures-actions.ts';
import { FuturesSimulation } from '../simulation/futures/futures-simulation.ts';
import { examples } from './examples.ts';

// Runs in a separate thread, against an engine with one planted fault: the checks one after the
// other, until one finds it.

/** Which check found the fault, and its message; null if none has. */
export interface Verdict {
  readonly finder: 'examples' | 'payers' | 'rules' | 'twin';
  /** The worked example, the scheme of adversaries or the invariant; the twin has one view. */
  readonly check: string;
  readonly words: string;
}

const seed = 5_150;
const usdt = 100_000_000n;
const steps = 400;

function words(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** How a broken rule is reported that the twin does not have. */
const ruleWords = /(^|; )(M\d+|[a-z]+-[a-z-]+): /;

function simulate(): void {
  for (let round = 0; round < 2; round += 1) {
    const numbers = { numRuns: steps, seed: seed + round };
    const stressed = new FuturesSimulation({ auditEvery: 4, funds: 10n * usdt });
    stressed.run(fc.sample(stressAction, numbers));
    const calm = new FuturesSimulation({ auditEvery: 4 });
    calm.run(fc.sample(futuresAction, numbers));
  }
}

/** Each scheme of adversaries on its own: who pays for what is withdrawn. */
function runSchemes(): Verdict | null {
  for (const [name, scheme] of Object.entries(schemes)) {
    const found = words(() => {
      runAlone(scheme);
    });
    if (found !== null) return { finder: 'payers', check: name, words: found };
  }
  return null;
}

/** Worked examples first, as they are quick; then random traffic under all rules and the twin. */
export function judge(): Verdict | null {
  for (const { name, run } of examples) {
    const failed = words(run);
    if (failed !== null) return { finder: 'examples', check: name, words: failed };
  }
  const unpaid = runSchemes();
  if (unpaid !== null) return unpaid;
  const found = words(simulate);
  if (found === null) return null;
  const rule = ruleWords.exec(found)?.[2];
  if (rule !== undefined) return { finder: 'rules', check: rule, words: found };
  const isByTwin = found.includes('the twin');
  return {
    finder: isByTwin ? 'twin' : 'rules',
    check: isByTwin ? 'the twin differs' : 'the engine throws',
    words: found,
  };
}

parentPort?.postMessage(judge());
