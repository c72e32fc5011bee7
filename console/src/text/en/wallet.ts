import type { Part } from '../part.ts';

// Texts of the wallet, by key.

export const approveTheVault = 'Approve the vault';
export const deposit = 'Deposit';
export const confirmedOnTheChain = 'Confirmed on the chain';
export const credited = 'Credited';
export const noWalletConnected = 'no wallet connected';
export const networkChain = (name: Part, chain: Part, warning: Part) =>
  `${name}, network: chain ${chain}${warning}`;
export const token = 'Token';
export const amount = 'Amount';
export const checkYourWallet = 'Check your wallet…';
export const depositSteps = 'Steps of a deposit';
export const seen = 'Seen';
export const transaction = 'Transaction';
export const state = 'State';
export const askedFor = 'Requested';
export const time = 'Time';
export const direction = 'Direction';
export const deposits = 'Deposits';
export const noDeposits = 'No deposits yet. Deposit above.';
export const withdrawals = 'Withdrawals';
export const noWithdrawals = 'No withdrawals yet. Withdraw above.';
export const perpWithdrawals = 'Perp withdrawals';
export const noPerpWithdrawals =
  'No withdrawals from the perp wallet yet. Set an amount aside above.';
export const transfers = 'Transfers';
export const noTransfers = 'No transfers yet. Move money between the wallets above.';
export const releaseOnChain = 'The release is on the chain.';
export const confirmAmount = (money: Part) => `Confirm ${money}`;
export const cancelIt = 'Cancel it';
export const requestSignatureFor = (money: Part) => `Request signature for ${money}`;
export const sendAmount = (money: Part) => `Send ${money}`;
export const confirmOrCancel = (amount: Part, token: Part) =>
  `${amount} ${token} are set aside. Confirm the withdrawal, or cancel it.`;
export const confirm = 'Confirm';
export const withdrawalCanceled = 'The withdrawal is canceled; the amount is available again.';
export const withdrawFromPerp = 'Withdraw from perp';
export const withdrawFromPerpWallet = 'Withdraw from the perp wallet';
export const withdrawable = (withdrawable: Part, token: Part) =>
  `${withdrawable} ${token} withdrawable`;
export const setAside = 'Set aside';
export const perpWithdrawalSteps = 'Steps of a withdrawal from the perp wallet';
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
export const noBalances = 'No balances yet. Deposit below, or get test money.';
export const goesToSignedInAddress = (amount: Part, token: Part, address: Part) =>
  `${amount} ${token} will be paid to ${address}, the address that you are signed in with.`;
export const withdraw = 'Withdraw';
export const withdrawQuestion = 'Withdraw?';
export const withdrawalSigned = 'The withdrawal is signed. Send it from your wallet.';
export const atLeast = (minimum: Part) => `at least ${minimum}`;
export const withdrawalSteps = 'Steps of a withdrawal';
export const withdrawalsGoToYourAddress =
  'Withdrawals are paid to the address that you are signed in with.';
export const sendFromWallet = 'Send from your wallet';
export const sentFromWallet = 'Sent from your wallet';
export const completed = 'Completed';
export const left = (time: Part) => `, ${time} left`;
export const fromTimeOn = (time: Part) => ` from ${time} on`;
export const amountSetAside = 'Amount set aside';
export const confirmIt = 'Confirm';
export const waitsForReview = 'Review by two people';
export const requestSignature = 'Request signature';
export const approvedByTwoPeople = 'Approved by two people';
export const signed = 'Signed';
export const vaultPays = (due: Part) => `Payment by the vault${due}`;
export const signedWith = (timeLeft: Part) => `Signed${timeLeft}`;
export const amountIsReviewed =
  'The amount is set aside. Two people review this withdrawal first; the progress is shown here.';
export const signedElsewhere = (address: Part) => `signed elsewhere, ${address}…`;
export const walletAtOtherAccount = (address: Part, signedIn: Part) =>
  `it shows ${address}, and you are signed in as ${signedIn}`;
export const testWallet = 'Test wallet';
