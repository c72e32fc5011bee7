import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { clockOffsetMs, link, roundTripMs } from '../api/api.ts';
import { useApi } from '../api/query.ts';
import { now } from '../feed/clock.ts';
import { noticeLog, sayError } from '../feed/notices.ts';
import { chooseTheme, theme } from '../feed/preferences.ts';
import { expiresAt, isSignedIn, renewSession, signedOutBecause, signOut } from '../feed/session.ts';
import { isOutdated, site } from '../feed/site.ts';
import { formatCountdown, formatTime } from '../number/format.ts';
import { sentenceOf } from '../text/sentence.ts';
import { switchChain, wallet, walletChain } from '../wallet/wallet.ts';
import { AccountMenu, openSignIn } from './account-menu.tsx';
import { confirm, Dialogs } from './dialog.tsx';
import { Notices } from './notices.tsx';

const pages = [
  ['/', 'Markets'],
  ['/trade/BTCUSDT', 'Trade'],
  ['/futures/BTCUSDT', 'Futures'],
  ['/wallet', 'Wallet'],
  ['/referral', 'Referral'],
  ['/points', 'Points'],
] as const;

function isHere(path: string, page: string): boolean {
  return page === '/' ? path === '/' : path.split('/')[1] === page.split('/')[1];
}

function Link() {
  const state = link.value;
  if (state.kind === 'open') {
    const trip = roundTripMs.value;
    return <span class="chip live">Live{trip === null ? '' : ` ${Math.round(trip)} ms`}</span>;
  }
  const isReading = now.value > 0;
  const seconds =
    state.kind === 'waiting' && isReading
      ? Math.max(0, Math.ceil((state.retryAt - performance.now()) / 1000))
      : 0;
  return <span class="chip waiting">Reconnecting{seconds > 0 ? `… ${seconds} s` : '…'}</span>;
}

const tenMinutesMs = 600_000;

const unsentKey = 'has-unsent-withdrawal';

/** A withdrawal that waits for its owner: approved and not signed, or signed and not sent. */
function UnsentWithdrawal() {
  const query = { query: { limit: 10 } };
  const spot = useApi('GET /api/v1/spot/withdrawals', query);
  const perp = useApi('GET /api/v1/withdraw/history', query);
  const all = [...(spot.data?.items ?? []), ...(perp.data?.items ?? [])];
  const unsent =
    all.find(({ status }) => status === 'signed') ??
    all.find(({ status }) => status === 'approved');
  const isKnown = spot.data !== undefined && perp.data !== undefined;
  useEffect(() => {
    if (isKnown) sessionStorage.setItem(unsentKey, String(unsent !== undefined));
  }, [isKnown, unsent === undefined]);
  if (unsent === undefined) {
    // Its space is reserved across a reload, so that the page below does not move when it appears.
    const isAwaited = !isKnown && sessionStorage.getItem(unsentKey) === 'true';
    return isAwaited ? <p class="banner awaited">…</p> : null;
  }
  return (
    <p class="banner">
      {unsent.amount} {unsent.token}{' '}
      {unsent.status === 'approved'
        ? 'are approved for you and wait to be signed.'
        : `are signed for you and wait to be sent: ${formatCountdown((unsent.deadline ?? 0) * 1000 - now.value)} left.`}{' '}
      <a href="/wallet">To the wallet</a>
    </p>
  );
}

/** The wallet is on another network; only the steps on the chain need the right one. */
function WrongNetwork() {
  const wanted = site.value?.chain_id ?? null;
  const shown = walletChain.value;
  if (wallet.value === null || wanted === null || shown === null || shown === wanted) return null;
  return (
    <p class="banner">
      Your wallet is on chain {shown}, and deposits, withdrawals and claims are on chain {wanted}.
      Trading goes on.
      <button type="button" class="small" onClick={() => void switchChain(wanted).catch(sayError)}>
        Switch network
      </button>
    </p>
  );
}

const isRenewing = signal(false);
/** The end of the token that could not be replaced by a later one. */
const lastEnd = signal<string | null>(null);

async function staySignedIn(): Promise<void> {
  isRenewing.value = true;
  const before = expiresAt.value;
  try {
    await renewSession();
    if (expiresAt.value === before) lastEnd.value = before;
  } catch (error) {
    sayError(error);
  } finally {
    isRenewing.value = false;
  }
}

async function signInAgain(): Promise<void> {
  // Signing in replaces the session, whether or not the service has ended it.
  await signOut().catch(() => undefined);
  openSignIn();
}

/** The token expires soon: another one for the session, or for a new session at its end. */
function EndingSession() {
  const isLast = lastEnd.value === expiresAt.value;
  return (
    <p class="banner">
      Your sign-in ends within ten minutes.{' '}
      {isLast && 'It has lasted as long as it can: sign in again to go on. '}
      <button
        type="button"
        class="small"
        disabled={isRenewing.value}
        onClick={() => void (isLast ? signInAgain() : staySignedIn())}
      >
        {isLast ? 'Sign in again' : 'Stay signed in'}
      </button>
    </p>
  );
}

/** Notices above every page, shown while they apply. */
function Banners({ path }: { path: string }) {
  const left = expiresAt.value === null ? null : Date.parse(expiresAt.value) - now.value;
  return (
    <div role="status">
      {isOutdated.value && (
        <p class="banner">
          The service has a newer build of this page; parts of this one are gone.
          <button type="button" class="small" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
      {signedOutBecause.value !== null && (
        <p class="banner">
          {sentenceOf(signedOutBecause.value)}
          <button type="button" class="small" onClick={openSignIn}>
            Sign in
          </button>
        </p>
      )}
      {isSignedIn.value && left !== null && left < tenMinutesMs && <EndingSession />}
      {isSignedIn.value && <WrongNetwork />}
      {isSignedIn.value && path !== '/wallet' && <UnsentWithdrawal />}
      {site.value?.are_withdrawals_paused === true && <p class="banner">Withdrawals are paused.</p>}
    </div>
  );
}

function showLog(): void {
  const rows = noticeLog.value.map(({ id, at, text, note }) => (
    <li key={id}>
      <span class="dim">{formatTime(at)}</span> {text} <code class="dim">{note}</code>
    </li>
  ));
  const text = rows.length === 0 ? 'Nothing has been said yet.' : <ul>{rows}</ul>;
  void confirm({ title: 'Notices of this session', text, action: 'Close', isStatement: true });
}

function Foot() {
  const offset = Math.round(clockOffsetMs.value);
  const last = noticeLog.value[0];
  return (
    <footer class="foot">
      <span>
        {last === undefined ? '' : `${formatTime(last.at)} ${last.text} `}
        <button type="button" class="small plain" onClick={showLog}>
          log: {noticeLog.value.length}
        </button>
      </span>
      <span>
        clock {offset > 0 ? '+' : offset < 0 ? '−' : ''}
        {Math.abs(offset)} ms{Math.abs(offset) > 2000 ? ' (your clock is off)' : ''} · build{' '}
        {__BUILD__} · <a href="/status">status</a> · <a href="/docs">API</a> ·{' '}
        <a href="/admin">operator</a> · charts:{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>{' '}
        © 2025 TradingView, Inc.
      </span>
    </footer>
  );
}

export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="frame">
        <a class="brand" href="/" aria-label="openbourse: markets">
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span>openbourse</span>
        </a>
        <nav class="menu" aria-label="Pages">
          {pages.map(([page, name]) => (
            <a
              key={page}
              href={page}
              {...(isHere(path, page) ? { 'aria-current': 'page' as const } : {})}
            >
              {name}
            </a>
          ))}
        </nav>
        <Link />
        <button
          type="button"
          class="plain"
          aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
          onClick={() => chooseTheme(theme.value === 'dark' ? 'light' : 'dark')}
        >
          ◐
        </button>
        <AccountMenu />
      </header>
      <Banners path={path} />
      {children}
      <Foot />
      <Notices />
      <Dialogs />
    </>
  );
}
