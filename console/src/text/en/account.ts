import type { Part } from '../part.ts';

// Texts of the account panel and the faucet, by key.

export const signIn = 'Sign in';
export const signInQuestion = 'Sign in with this message?';
export const signInWallet = 'Sign in wallet';
export const signedOut = 'Signed out.';
export const tokenForgotten = (until: Part) =>
  `This tab has discarded the token. The service may accept it until ${until}.`;
export const noWalletAnnounced = 'No wallet was found in this browser.';
export const newTestWallet = 'New test wallet';
export const testKeyStaysInTab = 'Its key stays in this tab and is worth nothing.';
export const lightTheme = 'Light theme';
export const blueAndOrange = 'Blue and orange for up and down';
export const keyboardShortcuts = 'Keyboard shortcuts (press ?)';
export const askBeforeEveryOrder = 'Ask before every order and cancellation';
export const vip = (tier: Part) => `VIP ${tier}`;
export const points = 'Points';
export const noPointsRankYet = 'No rank in points yet';
export const pointsRank = (rank: Part) => `Rank ${rank} in points`;
export const apiKeys = 'API keys';
export const signOut = 'Sign out';
export const signedInUntil = (time: Part) =>
  `Signed in until ${time}. Signing out takes effect here and on the service at once.`;
export const testMoneyReceived = (amount: Part) => `You have ${amount} USDT of test money.`;
export const requestingTestMoney = 'Requesting…';
export const getTestMoney = 'Get test money';
