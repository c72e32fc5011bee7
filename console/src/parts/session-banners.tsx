import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useApi } from '../api/query.ts';
import { now } from '../feed/clock.ts';
import { sayError } from '../feed/notices.ts';
import { expiresAt, renewSession, signOut } from '../feed/session.ts';
import { site } from '../feed/site.ts';
import * as texts from '../text/en/frame.ts';
import { releaseOf, transactionOf } from '../wallet/transactions.ts';
import { switchChain, wallet, walletChain } from '../wallet/wallet.ts';
import { AwaitedBanner, keepBanner } from './awaited-banner.tsx';
import { SendButton } from './send-button.tsx';
import { openSignIn } from './sign-in-menu.ts';
import { TimeLimit } from './time-limit.tsx';

const tenMinutesMs = 600_000;
/** A withdrawal that waits for its owner: approved and not signed, or signed and not sent. */
function UnsentWithdrawal({ path }: { path: string }) {
  const query = { query: { limit: 10 } };
  const spot = useApi('GET /api/v1/spot/withdrawals', query);
  const perp = useApi('GET /api/v1/withdraw/history', query);
  const all = [...(spot.data?.items ?? []), ...(perp.data?.items ?? [])];
  const unsent =
    all.find(({ id, status }) => status === 'signed' && transactionOf(releaseOf(id)) === null) ??
    all.find(({ status }) => status === 'approved');
  const isKnown = spot.data !== undefined && perp.data !== undefined;
  const isApproved = unsent?.status === 'approved';
  const words =
    unsent === undefined
      ? ''
      : `${unsent.amount} ${unsent.token} ${isApproved ? texts.awaitingSignature : texts.awaitingSending}`;
  // Before the browser draws: a reload right after it finds the banner.
  useLayoutEffect(() => {
    if (isKnown) keepBanner(words === '' || isApproved ? words : texts.longestCountdown(words));
  }, [isKnown, words]);
  if (!isKnown && unsent === undefined) return <AwaitedBanner path={path} />;
  if (unsent === undefined) return null;
  // The wallet's page has the steps; only the time limits are announced there too.
  return (
    <p class={path === '/wallet' ? 'hidden' : 'banner'}>
      <span>
        {words} {!isApproved && <TimeLimit endsAt={(unsent.deadline ?? 0) * 1000} />}
      </span>
      {path !== '/wallet' && <a href="/wallet">{texts.toWallet}</a>}
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
      {texts.wrongChain(shown, wanted)}
      <button type="button" class="small" onClick={() => void switchChain(wanted).catch(sayError)}>
        {texts.switchNetwork}
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
      {texts.signInEndsSoon} {isLast && `${texts.signInCannotBeRenewed} `}
      <SendButton
        class="small"
        disabled={isRenewing.value}
        onClick={() => void (isLast ? signInAgain() : staySignedIn())}
      >
        {isLast ? texts.signInAgain : texts.staySignedIn}
      </SendButton>
    </p>
  );
}

/** Notices of the account that is signed in. */
export function SessionBanners({ path }: { path: string }) {
  const left = expiresAt.value === null ? null : Date.parse(expiresAt.value) - now.value;
  return (
    <>
      {left !== null && left < tenMinutesMs && <EndingSession />}
      <WrongNetwork />
      <UnsentWithdrawal path={path} />
    </>
  );
}
