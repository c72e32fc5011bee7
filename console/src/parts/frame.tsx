import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { clockOffsetMs, link, roundTripMs } from '../api/api.ts';
import { now } from '../feed/clock.ts';
import { isRestarting } from '../feed/maintenance.ts';
import { noticeLog } from '../feed/notices.ts';
import { chooseTheme, theme } from '../feed/preferences.ts';
import { isSignedIn, signedOutBecause } from '../feed/session.ts';
import { isOutdated, site } from '../feed/site.ts';
import { formatOwnClock, formatTime } from '../number/format.ts';
import * as texts from '../text/en/frame.ts';
import { foreignText } from '../text/foreign.ts';
import { sentenceOf } from '../text/sentence.ts';
import { AccountMenu } from './account-menu.tsx';
import { AwaitedBanner } from './awaited-banner.tsx';
import { confirm, Dialogs } from './dialog.tsx';
import { later } from './later.tsx';
import { Notices } from './notices.tsx';
import { openSignIn } from './sign-in-menu.ts';

const pages = [
  ['/', texts.markets],
  ['/trade/BTCUSDT', texts.trade],
  ['/futures/BTCUSDT', texts.futures],
  ['/wallet', texts.wallet],
  ['/referral', texts.referral],
  ['/points', texts.points],
] as const;

const otherNames: Readonly<Record<string, string>> = {
  keys: texts.apiKeys,
  admin: texts.operator,
  status: texts.status,
};

/** "BTCUSDT · Trade · openbourse": what tabs and screen readers call the page. */
function titleOf(path: string): string {
  const [, word = '', symbol = ''] = path.split('/');
  const name = pages.find(([page]) => isHere(path, page))?.[1] ?? otherNames[word] ?? '';
  return [foreignText(symbol), name, 'openbourse'].filter((each) => each !== '').join(' · ');
}

function isHere(path: string, page: string): boolean {
  return page === '/' ? path === '/' : path.split('/')[1] === page.split('/')[1];
}

/** Announces the state of the link when it changes, without its figures. */
function LinkState() {
  return (
    <span class="hidden" role="status">
      {link.value.kind === 'open' ? texts.linkIsLive : texts.linkIsDown}
    </span>
  );
}

function Link() {
  const state = link.value;
  if (state.kind === 'open') {
    const trip = roundTripMs.value;
    return (
      <span class="chip live">
        {texts.live}
        {trip === null ? '' : texts.roundTripMs(Math.round(trip))}
      </span>
    );
  }
  const isReading = now.value > 0;
  const seconds =
    state.kind === 'waiting' && isReading
      ? Math.max(0, Math.ceil((state.retryAt - performance.now()) / 1000))
      : 0;
  return (
    <span class="chip waiting">
      {texts.reconnecting}
      {seconds > 0 ? `… ${seconds} s` : '…'}
    </span>
  );
}

const SessionBanners = later<{ path: string }>(
  () => import('./session-banners.tsx').then((each) => each.SessionBanners),
  AwaitedBanner,
);

/** Notices above every page, shown while they apply. */
function Banners({ path }: { path: string }) {
  return (
    <div role="status">
      {isOutdated.value && (
        <p class="banner">
          {texts.newerBuildExists}
          <button type="button" class="small" onClick={() => location.reload()}>
            {texts.reload}
          </button>
        </p>
      )}
      {signedOutBecause.value !== null && (
        <p class="banner">
          {sentenceOf(signedOutBecause.value)}
          <button type="button" class="small" onClick={openSignIn}>
            {texts.signIn}
          </button>
        </p>
      )}
      {isSignedIn.value && <SessionBanners path={path} />}
      {site.value?.are_withdrawals_paused === true && (
        <p class="banner">{texts.withdrawalsArePaused}</p>
      )}
      {isRestarting.value && <p class="banner">{texts.engineIsRestarting}</p>}
    </div>
  );
}

const NoticeLog = later(() => import('./notice-log.tsx').then((each) => each.NoticeLog));

function showLog(): void {
  void confirm({
    title: texts.sessionNotices,
    text: <NoticeLog />,
    action: texts.close,
    isStatement: true,
  });
}

function Foot() {
  const offset = clockOffsetMs.value;
  const last = noticeLog.value[0];
  return (
    <footer class="foot">
      <span>
        {last === undefined ? '' : `${formatTime(last.at)} ${last.text} `}
        <button type="button" class="small plain" onClick={showLog}>
          {texts.log}: {noticeLog.value.length}
        </button>
      </span>
      <span>
        {texts.clock(formatOwnClock(offset))}
        {Math.abs(offset) > 2000 && texts.yourClockIsOff} · {texts.build} {__BUILD__} ·{' '}
        <a href="/status">{texts.statusLink}</a> · <a href="/docs">{texts.api}</a> ·{' '}
        <a href="/admin">{texts.operatorLink}</a> · {texts.chartsBy}{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          {texts.tradingviewLightweightCharts}
        </a>{' '}
        {texts.copyrightOfTradingView}
      </span>
    </footer>
  );
}

export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  useEffect(() => {
    document.title = titleOf(path);
    // On a phone the menu is wider than the screen.
    const here = document.querySelector('.menu [aria-current]');
    here?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <>
      <a class="skip" href="#main">
        {texts.skipToContent}
      </a>
      <header class="frame">
        <a class="brand" href="/" aria-label={texts.openbourseMarkets}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          <span>openbourse</span>
        </a>
        <nav class="menu" aria-label={texts.pages}>
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
        <LinkState />
        <button
          type="button"
          class="plain"
          aria-label={theme.value === 'dark' ? texts.lightTheme : texts.darkTheme}
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
