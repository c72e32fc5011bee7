import { ApiError } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../api/api.ts';
import { useApi } from '../api/query.ts';
import { say, sayError } from '../feed/notices.ts';
import {
  areKeysOn,
  chooseAlways,
  chooseKeys,
  choosePalette,
  chooseTheme,
  isAlwaysAsked,
  palette,
  theme,
} from '../feed/preferences.ts';
import { address, expiresAt, isSignedIn, signOut } from '../feed/session.ts';
import { site } from '../feed/site.ts';
import { followVipTier, vipTier } from '../feed/vip-tier.ts';
import { formatMoment } from '../number/format.ts';
import * as texts from '../text/en/account.ts';
import { announced, askForWallets } from '../wallet/discover.ts';
import { signInWith, type Wallet, walletOf } from '../wallet/wallet.ts';
import { ChainLink } from './chain-link.tsx';
import { CheckField } from './check-field.tsx';
import { confirm } from './dialog.tsx';
import { SendButton } from './send-button.tsx';
import { isMenuOpen } from './sign-in-menu.ts';

const isSigning = signal(false);

const show = (text: string): Promise<boolean> =>
  confirm({
    title: texts.signInQuestion,
    text: <pre>{text}</pre>,
    action: texts.signInWallet,
  });

async function enter(chosen: Wallet, rdns: string | null): Promise<void> {
  isSigning.value = true;
  try {
    // The page's own wallet has no interface; its message is created and signed in one step.
    await signInWith(chosen, chosen.isTest ? () => Promise.resolve(true) : show);
    if (rdns !== null) localStorage.setItem('wallet', rdns);
    isMenuOpen.value = false;
  } catch (error) {
    sayError(error);
  } finally {
    isSigning.value = false;
  }
}

async function enterWithTestWallet(): Promise<void> {
  try {
    const [{ makeTestWallet }, { chain_id: chainId }] = await Promise.all([
      import('../wallet/test-wallet.ts'),
      api.call('GET /api/v1/chain/info'),
    ]);
    await enter(makeTestWallet(chainId), null);
  } catch (error) {
    sayError(error);
  }
}

async function leave(): Promise<void> {
  isMenuOpen.value = false;
  const until = expiresAt.value;
  try {
    await signOut();
    say('good', texts.signedOut);
  } catch (error) {
    // A token that the service refuses has ended.
    if (error instanceof ApiError && error.status === 401) return;
    sayError(error);
    say('bad', texts.tokenForgotten(formatMoment(until)));
  }
}

function WalletList() {
  useEffect(askForWallets, []);
  return (
    <>
      <h2>{texts.signIn}</h2>
      {announced.value.map((each) => (
        <SendButton
          key={each.uuid}
          disabled={isSigning.value}
          onClick={() => void enter(walletOf(each), each.rdns)}
        >
          {/^data:image\//.test(each.icon) && <img src={each.icon} alt="" width={16} height={16} />}{' '}
          {each.name}
        </SendButton>
      ))}
      {announced.value.length === 0 && <p class="dim">{texts.noWalletAnnounced}</p>}
      {site.value?.is_testnet === true && (
        <SendButton
          class="primary"
          disabled={isSigning.value}
          onClick={() => void enterWithTestWallet()}
        >
          {texts.newTestWallet}
        </SendButton>
      )}
      {site.value?.is_testnet === true && <p class="dim small-text">{texts.testKeyStaysInTab}</p>}
    </>
  );
}

function Preferences() {
  return (
    <>
      <CheckField
        label={texts.lightTheme}
        isChecked={theme.value === 'light'}
        onChange={(isLight) => chooseTheme(isLight ? 'light' : 'dark')}
      />
      <CheckField
        label={texts.blueAndOrange}
        isChecked={palette.value === 'blue-orange'}
        onChange={(isBlue) => choosePalette(isBlue ? 'blue-orange' : 'green-red')}
      />
      <CheckField
        label={texts.keyboardShortcuts}
        isChecked={areKeysOn.value}
        onChange={chooseKeys}
      />
      <CheckField
        label={texts.askBeforeEveryOrder}
        isChecked={isAlwaysAsked.value}
        onChange={chooseAlways}
      />
    </>
  );
}

/** The account's standing with the exchange. */
function Standing() {
  useEffect(followVipTier, []);
  const points = useApi('GET /api/v1/points/me', {});
  const rank = points.data?.rank;
  return (
    <p>
      {texts.vip(vipTier.value ?? '–')} ·{' '}
      <a href="/points">
        {rank === undefined
          ? texts.points
          : rank === null
            ? texts.noPointsRankYet
            : texts.pointsRank(rank)}
      </a>
    </p>
  );
}

/** What the account menu shows once it is open. */
export function AccountPanel() {
  return (
    <>
      {isSignedIn.value ? (
        <>
          <ChainLink to="address" value={address.value} />
          <Standing />
          <a href="/keys">{texts.apiKeys}</a>
          <button type="button" aria-describedby="sign-out" onClick={() => void leave()}>
            {texts.signOut}
          </button>
          <p id="sign-out" class="dim small-text">
            {texts.signedInUntil(formatMoment(expiresAt.value))}
          </p>
        </>
      ) : (
        <WalletList />
      )}
      <hr class="line" />
      <Preferences />
    </>
  );
}
