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
export const orderWasTaken = 'The response was lost, but the order was accepted.';
export const orderWasNotTaken = 'The response was lost, and the order was not accepted.';
export const restingNotice = (order: Part) => `${order}: in the book.`;
export const orderCanceled = 'Order canceled.';
export const ordersCanceled = (count: Part) => `${count} orders canceled.`;
export const estimateIsWorse = 'This order would trade more than 1 % worse than the best price.';
export const overShareOfEquity = 'This order is worth more than 5 % of your equity.';
export const signIn = 'Sign in';
export const lightTheme = 'Light theme';
export const points = 'Points';
export const apiKeys = 'API keys';
export const toWallet = 'To the wallet';
export const typeToConfirm = (typed: Part) => `Type ${typed} to confirm`;
export const currentOrigin = (origin: Part) => `You are on ${origin}`;
export const cancel = 'Cancel';
export const markets = 'Markets';
export const trade = 'Trade';
export const futures = 'Futures';
export const wallet = 'Wallet';
export const referral = 'Referral';
export const operator = 'Operator';
export const status = 'Status';
export const linkIsLive = 'Connected.';
export const linkIsDown = 'Connection lost.';
export const live = 'Live';
export const roundTripMs = (milliseconds: Part) => ` ${milliseconds} ms`;
export const reconnecting = 'Reconnecting';
export const newerBuildExists = 'The service has a newer build of this page.';
export const reload = 'Reload';
export const withdrawalsArePaused = 'Withdrawals are paused.';
export const engineIsRestarting =
  'The engine is restarting: no orders are accepted for a few seconds.';
export const noNoticesYet = 'No notices yet.';
export const sessionNotices = 'Notices of this session';
export const close = 'Close';
export const log = 'log';
export const clock = (offset: Part) => `clock ${offset} ms`;
export const yourClockIsOff = ' (your clock is off)';
export const build = 'build';
export const statusLink = 'status';
export const api = 'API';
export const operatorLink = 'operator';
export const chartsBy = 'charts:';
export const tradingviewLightweightCharts = 'TradingView Lightweight Charts™';
export const copyrightOfTradingView = '© 2025 TradingView, Inc.';
export const skipToContent = 'Skip to content';
export const openbourseMarkets = 'openbourse: markets';
export const pages = 'Pages';
export const darkTheme = 'Dark theme';
export const closeThisNotice = 'Close this notice';
export const oneStep = (label: Part, direction: Part) => `${label}: one step ${direction}`;
export const asOf = (time: Part) => `as of ${time}`;
export const transaction = 'Transaction';
export const waitSeconds = (seconds: Part) => `Wait ${seconds} s`;
export const isOnTheChain = 'is on the chain.';
export const waitsForTheChain = 'is waiting for the chain.';
export const sendAgain = 'Send again';
export const awaitingSignature = 'are approved and ready for signing.';
export const awaitingSending = 'are signed and waiting for you to send them:';
export const switchNetwork = 'Switch network';
export const signInEndsSoon = 'Your session ends within ten minutes.';
export const signInCannotBeRenewed = 'It cannot be extended.';
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
export const wrongChain = (walletChain: Part, chain: Part) =>
  `Your wallet is on chain ${walletChain}; the exchange is on chain ${chain}.`;
export const longestCountdown = (text: Part) => `${text} 59:59 left.`;
