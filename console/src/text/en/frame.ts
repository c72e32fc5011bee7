import type { Part } from '../part.ts';

// Texts of what every page has, by key.

export const depositCredited = (amount: Part, token: Part) =>
  `Your deposit of ${amount} ${token} is credited.`;
export const withdrawalPaid = (amount: Part, token: Part) =>
  `Your withdrawal of ${amount} ${token} is paid.`;
export const withdrawalExpired = (amount: Part, token: Part) =>
  `Your withdrawal of ${amount} ${token} has expired; the amount is available again.`;
export const withdrawalReturned = (amount: Part, token: Part) =>
  `Your withdrawal of ${amount} ${token} is returned; the amount is available again.`;
export const claimPaid = (amount: Part) => `Your claim of ${amount} USDT is paid.`;
export const claimFailed = (amount: Part) => `Your claim of ${amount} USDT has failed.`;
export const bought = 'Bought';
export const sold = 'Sold';
export const partlyFilled = 'partly filled';
export const fillsJoined = (word: Part, filled: Part, symbol: Part, average: Part, state: Part) =>
  `${word} ${filled} ${symbol} at ${average}: ${state}.`;
export const orderWasTaken = 'The answer was lost on the way, but the order was taken.';
export const orderWasNotTaken = 'The answer was lost on the way, and the order was not taken.';
export const inTheBook = (text: Part) => `${text}: in the book.`;
export const orderCanceled = 'Order canceled.';
export const ordersCanceled = (count: Part) => `${count} orders canceled.`;
export const estimateIsWorse =
  'By the estimate this order would trade more than 1 % worse than the best price.';
export const overShareOfEquity = 'This order is worth more than 5 % of your equity.';
export const signIn = 'Sign in';
export const signInWithThisMessage = 'Sign in with this message?';
export const signInWallet = 'Sign in wallet';
export const signedOut = 'Signed out.';
export const tokenForgotten = (until: Part) =>
  `This tab has forgotten the token. The service may take it until ${until}.`;
export const noWalletHasAnnouncedItself = 'No wallet has announced itself in this browser.';
export const newTestWallet = 'New test wallet';
export const testKeyStaysInTab = 'Its key stays in this tab and is worth nothing.';
export const lightTheme = 'Light theme';
export const blueAndOrange = 'Blue and orange for up and down';
export const keyboardShortcutsListsThem = 'Keyboard shortcuts (? lists them)';
export const askBeforeEveryOrder = 'Ask before every order and cancellation';
export const vip = 'VIP ';
export const points = 'Points';
export const noRankInPointsYet = 'No rank in points yet';
export const rankInPoints = (rank: Part) => `Rank ${rank} in points`;
export const apiKeys = 'API keys';
export const signOut = 'Sign out';
export const signedInUntil = 'Signed in until ';
export const signingOutEndsItHere = '. Signing out ends it here and on the service at once.';
export const toTheWallet = 'To the wallet';
export const typeToGoOn = (typed: Part) => `Type ${typed} to go on`;
export const youAreAt = (origin: Part) => `You are at ${origin}`;
export const cancel = 'Cancel';
export const testMoneyReceived = (USDT: Part) => `${USDT} USDT of test money are yours.`;
export const drawing = 'Drawing…';
export const getTestMoney = 'Get test money';
export const markets = 'Markets';
export const trade = 'Trade';
export const futures = 'Futures';
export const wallet = 'Wallet';
export const referral = 'Referral';
export const operator = 'Operator';
export const status = 'Status';
export const theLinkIsLive = 'The link is live.';
export const theLinkIsDown = 'The link is down.';
export const live = 'Live';
export const ms = (trip: Part) => ` ${trip} ms`;
export const reconnecting = 'Reconnecting';
export const newerBuildExists =
  'The service has a newer build of this page; parts of this one are gone.';
export const reload = 'Reload';
export const withdrawalsArePaused = 'Withdrawals are paused.';
export const engineIsRestarting =
  'The engine is restarting and takes no orders. This usually lasts a few seconds.';
export const nothingHasBeenSaidYet = 'Nothing has been said yet.';
export const noticesOfThisSession = 'Notices of this session';
export const close = 'Close';
export const log = 'log: ';
export const clock = 'clock ';
export const msPart = ' ms';
export const yourClockIsOff = ' (your clock is off)';
export const build = ' · build';
export const statusWord = 'status';
export const api = 'API';
export const operatorWord = 'operator';
export const chartsBy = ' · charts:';
export const tradingviewLightweightCharts = 'TradingView Lightweight Charts™';
export const copyrightOfTradingView = '© 2025 TradingView, Inc.';
export const skipToTheContent = 'Skip to the content';
export const openbourseMarkets = 'openbourse: markets';
export const pages = 'Pages';
export const darkTheme = 'Dark theme';
export const to = ' to ';
export const lineFromTo = (label: Part, value: Part, name: Part, value2: Part, name2: Part) =>
  `${label}: from ${value} on ${name} to ${value2} on ${name2}`;
export const allCount = (count: Part) => `All ${count}.`;
export const newestCount = (count: Part) => `The newest ${count}.`;
export const showMore = 'Show more';
export const closeThisNotice = 'Close this notice';
export const oneStep = (label: Part, word: Part) => `${label}: one step ${word}`;
export const nothing = 'Nothing';
export const range = (first: Part, last: Part) => `${first} to ${last}`;
export const of = ' of ';
export const newer = 'Newer';
export const older = 'Older';
export const asOf = 'as of ';
export const transaction = 'Transaction ';
export const waitS = (seconds: Part) => `Wait ${seconds} s`;
export const isOnTheChain = 'is on the chain.';
export const waitsForTheChain = 'waits for the chain.';
export const sendAgain = 'Send again';
export const approvedWaitsToBeSigned = 'are approved for you and wait to be signed.';
export const signedWaitsToBeSent = 'are signed for you and wait to be sent:';
export const withAnHourLeft = (words: Part) => `${words} 59:59 left.`;
export const walletOnChain = 'Your wallet is on chain ';
export const moneyOnChain = ', and deposits, withdrawals and claims are on chain ';
export const tradingGoesOn = '. Trading goes on.';
export const switchNetwork = 'Switch network';
export const signInEndsSoon = 'Your sign-in ends within ten minutes.';
export const signInCannotBeRenewed = 'It has lasted as long as it can: sign in again to go on. ';
export const signInAgain = 'Sign in again';
export const staySignedIn = 'Stay signed in';
export const actions = 'Actions';
export const csvOf = (word: Part) => `CSV of ${word}`;
export const reading = 'Reading…';
export const csv = 'CSV';
export const copyTheRequestId = 'Copy the request id';
export const copy = 'Copy';
export const tryAgain = 'Try again';
export const noticeTime = 'Time';
export const notice = 'Notice';
export const codeAndRequest = 'Code and request';
export const lessThanMinutesAreLeft = (limit: Part) => `Less than ${limit} minutes are left.`;
export const left = ' left.';
