import { isSignedIn } from '../../feed/session.ts';
import { openSignIn } from '../../parts/sign-in-menu.ts';
import * as texts from '../../text/en/referral.ts';
import { AffiliatesPanel } from './affiliates-panel.tsx';
import { ClaimHistory, ClaimPanel } from './claim-panel.tsx';
import { Earnings } from './earnings.tsx';
import { EarningsByDay } from './earnings-by-day.tsx';
import { LogPanel } from './log-panel.tsx';
import { OnChainState } from './on-chain-state.tsx';
import { Standing } from './standing.tsx';
import { TradersPanel } from './traders-panel.tsx';

export function ReferralPage() {
  return (
    <main class="page" id="main">
      <h1>{texts.referral}</h1>
      {isSignedIn.value ? (
        <>
          <Standing />
          <Earnings />
          <div class="columns">
            <ClaimPanel />
            <OnChainState />
          </div>
          <div class="columns broad">
            <ClaimHistory />
            <TradersPanel />
            <AffiliatesPanel />
            <EarningsByDay />
            <LogPanel />
          </div>
        </>
      ) : (
        <p>
          <button type="button" class="primary" onClick={openSignIn}>
            {texts.signInToSeeCommission}
          </button>
        </p>
      )}
    </main>
  );
}
