import type { FuturesMarketTerms } from '../../src/domain/futures-market.ts';
import { Engine } from '../../src/engine/engine.ts';
import { EngineState } from '../../src/engine/engine-state.ts';
import type { FuturesState } from '../../src/engine/futures/futures-state.ts';
import { type Rules, rulesVersion } from '../../src/engine/rules.ts';
import { btcTerms, FuturesFixture } from './futures-fixture.ts';

/** A fixture whose futures state the test reads and changes. */
export class FuturesStateFixture extends FuturesFixture {
  readonly state: FuturesState;

  constructor(rules: Rules = rulesVersion, terms: FuturesMarketTerms = btcTerms) {
    super();
    const state = new EngineState(rules);
    this.engine = new Engine(state, 'stop');
    this.state = state.futures;
    this.done({ type: 'createFuturesMarket', terms });
  }
}
