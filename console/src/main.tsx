import { render } from 'preact';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { link, stream } from './api/api.ts';
import './feed/account.ts';
import './feed/account-events.ts';
import { sayError } from './feed/notices.ts';
import { isOutdated } from './feed/site.ts';
import { Frame } from './parts/frame.tsx';
import { later } from './parts/later.tsx';
import { loadSentences } from './text/sentence.ts';
import { announced, askForWallets } from './wallet/discover.ts';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/desk.css';
import * as texts from './text/en/pages.ts';

const MarketsPage = lazy(() => import('./pages/markets.tsx').then((each) => each.MarketsPage));
const TradePage = lazy(() => import('./pages/trade.tsx').then((each) => each.TradePage));
const FuturesPage = lazy(() =>
  import('./pages/futures/futures-page.tsx').then((each) => each.FuturesPage),
);
const WalletPage = lazy(() =>
  import('./pages/wallet/wallet-page.tsx').then((each) => each.WalletPage),
);
const ReferralPage = lazy(() =>
  import('./pages/referral/referral-page.tsx').then((each) => each.ReferralPage),
);
const PointsPage = lazy(() =>
  import('./pages/points/points-page.tsx').then((each) => each.PointsPage),
);
const KeysPage = lazy(() => import('./pages/keys.tsx').then((each) => each.KeysPage));
const AdminPage = lazy(() => import('./pages/admin/admin-page.tsx').then((each) => each.AdminPage));
const StatusPage = lazy(() => import('./pages/status.tsx').then((each) => each.StatusPage));

const KeyboardShortcuts = later(() =>
  import('./parts/shortcuts.tsx').then((each) => each.KeyboardShortcuts),
);

function Missing() {
  return (
    <main class="page" id="main">
      <h1>{texts.noSuchPage}</h1>
      <p>
        <a href="/">{texts.goToMarkets}</a>
      </p>
    </main>
  );
}

function Console() {
  return (
    <LocationProvider>
      <Frame>
        <ErrorBoundary>
          <Router>
            <Route path="/" component={MarketsPage} />
            <Route path="/trade/:symbol" component={TradePage} />
            <Route path="/futures/:symbol" component={FuturesPage} />
            <Route path="/wallet" component={WalletPage} />
            <Route path="/referral" component={ReferralPage} />
            <Route path="/points" component={PointsPage} />
            <Route path="/keys" component={KeysPage} />
            <Route path="/admin" component={AdminPage} />
            <Route path="/status" component={StatusPage} />
            <Route default component={Missing} />
          </Router>
        </ErrorBoundary>
      </Frame>
      <KeyboardShortcuts />
    </LocationProvider>
  );
}

// An open tab of an earlier build requests files that no longer exist. While the link is down they
// can simply be unreachable.
addEventListener('vite:preloadError', () => {
  isOutdated.value = link.value.kind === 'open';
});

stream.open();
announced.subscribe(() => {
  if (localStorage.getItem('wallet') === null) return;
  import('./wallet/wallet.ts').then(({ reconnect }) => reconnect(), sayError);
});
askForWallets();
addEventListener('load', () =>
  requestIdleCallback(() => {
    void loadSentences();
    import('./parts/copying.ts').catch(() => undefined);
  }),
);
const place = document.getElementById('console');
if (place !== null) render(<Console />, place);
