import type { Part } from '../part.ts';

// Texts of the wallet, by key.

export const approveTheVault = 'Approve the vault';
export const deposit = 'Deposit';
export const confirmedOnTheChain = 'Confirmed on the chain';
export const credited = 'Credited';
export const noWalletConnected = 'no wallet connected';
export const networkChain = (name: Part, value: Part, word: Part) =>
  `${name}, network: chain ${value}${word}`;
export const token = 'Token';
export const amount = 'Amount';
export const lookIntoYourWallet = 'Look into your wallet…';
export const stepsOfADeposit = 'Steps of a deposit';
export const seen = 'Seen';
export const transaction = 'Transaction';
export const state = 'State';
export const askedFor = 'Asked for';
export const time = 'Time';
export const direction = 'Direction';
export const newest = 'Newest ';
export const deposits = 'Deposits';
export const noDeposits = 'No deposits yet. Deposit above.';
export const withdrawals = 'Withdrawals';
export const noWithdrawals = 'No withdrawals yet. Withdraw above.';
export const perpWithdrawals = 'Perp withdrawals';
export const noPerpWithdrawals =
  'No withdrawals from the perp wallet yet. Set an amount aside above.';
export const transfers = 'Transfers';
export const noTransfers = 'No transfers yet. Move money between the wallets above.';
export const theReleaseIsOnThe = 'The release is on the chain.';
export const confirm = (money: Part) => `Confirm ${money}`;
export const cancelIt = 'Cancel it';
export const haveSigned = (money: Part) => `Have ${money} signed`;
export const send = (money: Part) => `Send ${money}`;
export const confirmOrCancel = (amount: Part, token: Part) =>
  `${amount} ${token} are set aside. Confirm the withdrawal, or cancel it.`;
export const confirmLabel = 'Confirm';
export const theWithdrawalIsCanceledThe =
  'The withdrawal is canceled; the amount is available again.';
export const withdrawFromPerp = 'Withdraw from perp';
export const withdrawFromThePerpWallet = 'Withdraw from the perp wallet';
export const withdrawable = (withdrawable: Part, token: Part) =>
  `${withdrawable} ${token} withdrawable`;
export const setAside = 'Set aside';
export const stepsOfAWithdrawalFrom = 'Steps of a withdrawal from the perp wallet';
export const usdtMoved = (amount: Part) => `${amount} USDT moved.`;
export const transfer = 'Transfer';
export const spotToPerp = 'Spot to perp';
export const perpToSpot = 'Perp to spot';
export const wallet = 'Wallet';
export const spot = 'Spot';
export const perp = 'Perp';
export const available = 'Available';
export const locked = 'Locked';
export const signInToSeeWallet = 'Sign in to see your wallet';
export const balances = 'Balances';
export const noBalances = 'Nothing here yet. Deposit below, or get test money.';
export const goesToSignedInAddress = (amount: Part, token: Part, value: Part) =>
  `${amount} ${token} go to ${value}, the address that is signed in, and to no other.`;
export const withdraw = 'Withdraw';
export const withdrawQuestion = 'Withdraw?';
export const theWithdrawalIsSignedSend = 'The withdrawal is signed. Send it from your wallet.';
export const atLeast = (least: Part) => `at least ${least}`;
export const stepsOfAWithdrawal = 'Steps of a withdrawal';
export const withdrawalsGoToTheAddress = 'Withdrawals go to the address that is signed in.';
export const sendItFromTheWallet = 'Send it from the wallet';
export const sentFromTheWallet = 'Sent from the wallet';
export const completed = 'Completed';
export const left = (word: Part) => `, ${word} left`;
export const fromOn = (word: Part) => ` from ${word} on`;
export const amountSetAside = 'Amount set aside';
export const confirmIt = 'Confirm it';
export const twoPeopleLookAtIt = 'Two people look at it';
export const haveItSigned = 'Have it signed';
export const approvedByTwoPeople = 'Approved by two people';
export const signed = 'Signed';
export const theVaultPaysIt = (due: Part) => `The vault pays it${due}`;
export const signedWith = (word: Part) => `Signed${word}`;
export const amountIsReviewed =
  'The amount is set aside. Two people look at this withdrawal first; its step stands here.';
export const signedElsewhere = (word: Part) => `signed elsewhere, ${word}…`;
export const walletAtOtherAccount = (value: Part, value2: Part) =>
  `it is at ${value}, and you are signed in as ${value2}`;
export const testWallet = 'Test wallet';
