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
export const fillNotice = (action: Part, filled: Part, symbol: Part, average: Part, state: Part) =>
  `${action} ${filled} ${symbol} at ${average}: ${state}.`;
export const orderWasTaken = 'The response was lost on the way, but the order was accepted.';
export const orderWasNotTaken = 'The response was lost on the way, and the order was not accepted.';
export const restingNotice = (order: Part) => `${order}: in the book.`;
export const orderCanceled = 'Order canceled.';
export const ordersCanceled = (count: Part) => `${count} orders canceled.`;
export const estimateIsWorse =
  'By the estimate, this order would trade more than 1 % worse than the best price.';
export const overShareOfEquity = 'This order is worth more than 5 % of your equity.';
export const signIn = 'Sign in';
export const signInQuestion = 'Sign in with this message?';
export const signInWallet = 'Sign in wallet';
export const signedOut = 'Signed out.';
export const tokenForgotten = (until: Part) =>
  `This tab has discarded the token. The service may still accept it until ${until}.`;
export const noWalletAnnounced = 'No wallet was found in this browser.';
export const newTestWallet = 'New test wallet';
export const testKeyStaysInTab = 'Its key stays in this tab and is worth nothing.';
export const lightTheme = 'Light theme';
export const blueAndOrange = 'Blue and orange for up and down';
export const keyboardShortcuts = 'Keyboard shortcuts (? lists them)';
export const askBeforeEveryOrder = 'Ask before every order and cancellation';
export const vip = (tier: Part) => `VIP ${tier}`;
export const points = 'Points';
export const noPointsRankYet = 'No rank in points yet';
export const pointsRank = (rank: Part) => `Rank ${rank} in points`;
export const apiKeys = 'API keys';
export const signOut = 'Sign out';
export const signedInUntil = (time: Part) =>
  `Signed in until ${time}. Signing out takes effect here and on the service at once.`;
export const toWallet = 'To the wallet';
export const typeToConfirm = (typed: Part) => `Type ${typed} to confirm`;
export const currentOrigin = (origin: Part) => `You are on ${origin}`;
export const cancel = 'Cancel';
export const testMoneyReceived = (amount: Part) =>
  `You have received ${amount} USDT of test money.`;
export const requestingTestMoney = 'Requesting…';
export const getTestMoney = 'Get test money';
export const markets = 'Markets';
export const trade = 'Trade';
export const futures = 'Futures';
export const wallet = 'Wallet';
export const referral = 'Referral';
export const operator = 'Operator';
export const status = 'Status';
export const linkIsLive = 'Connected to the service.';
export const linkIsDown = 'The connection to the service is lost.';
export const live = 'Live';
export const roundTripMs = (milliseconds: Part) => ` ${milliseconds} ms`;
export const reconnecting = 'Reconnecting';
export const newerBuildExists =
  'The service has a newer build of this page, and parts of this one are no longer available.';
export const reload = 'Reload';
export const withdrawalsArePaused = 'Withdrawals are paused.';
export const engineIsRestarting =
  'The engine is restarting and accepts no orders. This usually takes a few seconds.';
export const noNoticesYet = 'No notices yet.';
export const sessionNotices = 'Notices of this session';
export const close = 'Close';
export const log = (count: Part) => `log: ${count}`;
export const clock = (offset: Part) => `clock ${offset} ms`;
export const yourClockIsOff = ' (your clock is off)';
export const build = (id: Part) => ` · build ${id} ·`;
export const statusLink = 'status';
export const api = 'API';
export const operatorLink = 'operator';
export const chartsBy = 'charts:';
export const tradingviewLightweightCharts = 'TradingView Lightweight Charts™';
export const copyrightOfTradingView = '© 2025 TradingView, Inc.';
export const skipToContent = 'Skip to the content';
export const openbourseMarkets = 'openbourse: markets';
export const pages = 'Pages';
export const darkTheme = 'Dark theme';
export const lineFromTo = (label: Part, value: Part, name: Part, lastValue: Part, lastName: Part) =>
  `${label}: from ${value} on ${name} to ${lastValue} on ${lastName}`;
export const allCount = (count: Part) => `All ${count}.`;
export const newestCount = (count: Part) => `The newest ${count}.`;
export const showMore = 'Show more';
export const closeThisNotice = 'Close this notice';
export const oneStep = (label: Part, direction: Part) => `${label}: one step ${direction}`;
export const range = (first: Part, last: Part, total: Part) => `${first} to ${last} of ${total}`;
export const newer = 'Newer';
export const older = 'Older';
export const asOf = (time: Part) => `as of ${time}`;
export const transaction = 'Transaction';
export const waitSeconds = (seconds: Part) => `Wait ${seconds} s`;
export const isOnTheChain = 'is on the chain.';
export const waitsForTheChain = 'is waiting for the chain.';
export const sendAgain = 'Send again';
export const awaitingSignature = 'are approved and waiting for you to have them signed.';
export const awaitingSending = 'are signed and waiting for you to send them:';
export const switchNetwork = 'Switch network';
export const signInEndsSoon = 'Your session ends within ten minutes.';
export const signInCannotBeRenewed =
  'It cannot be extended any further: sign in again to continue.';
export const signInAgain = 'Sign in again';
export const staySignedIn = 'Stay signed in';
export const actions = 'Actions';
export const csvOf = (list: Part) => `CSV of ${list}`;
export const reading = 'Loading…';
export const csv = 'CSV';
export const copyRequestId = 'Copy the request ID';
export const copy = 'Copy';
export const tryAgain = 'Try again';
export const noticeTime = 'Time';
export const notice = 'Notice';
export const codeAndRequest = 'Code and request';
export const minutesLeft = (limit: Part) => `Less than ${limit} minutes left.`;
export const left = (time: Part) => `${time} left.`;
export const lineRange = (label: Part, first: Part, last: Part) => `${label}, ${first} to ${last}`;
export const wrongChain = (walletChain: Part, chain: Part) =>
  `Your wallet is on chain ${walletChain}; deposits, withdrawals and claims are on chain ${chain}. Trading is not affected.`;
export const noneOf = (total: Part) => `None of ${total}`;
export const longestCountdown = (text: Part) => `${text} 59:59 left.`;
