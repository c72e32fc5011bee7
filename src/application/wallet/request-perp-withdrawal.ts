import type { Decimal } from '../../domain/decimal.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { ReservePerpFunds } from '../../engine/futures-commands.ts';
import { cutForToken, rawFromAmount } from '../../programs/claims/token-units.ts';
import type { Exchange } from '../ports/exchange.ts';
import { abandonedWithdrawalError } from './abandoned-withdrawal-error.ts';
import { transferToken } from './transfer-funds.ts';
import type { JudgePorts } from './validate-withdrawal.ts';
import type {
  PerpWithdrawalStore,
  PerpWithdrawalView,
  WalletHistory,
  WalletStore,
  WithdrawalTerms,
} from './wallet-ports.ts';
import type { WalletSettler } from './wallet-settler.ts';

// A perp withdrawal takes two requests of its owner (contract.md section 12): the request sets the
// amount aside, the confirmation signs its release. In between it can be canceled.

export interface PerpWithdrawPorts extends JudgePorts {
  readonly walletStore: WalletStore;
  readonly perpWithdrawals: PerpWithdrawalStore;
  readonly walletHistory: WalletHistory;
  readonly walletSettler: WalletSettler;
  readonly chainId: number;
  readonly withdrawMinimums: ReadonlyMap<string, Decimal>;
  /** Without it that of the spot wallet. */
  readonly perpWithdrawMinimum?: Decimal;
  readonly newWithdrawalId: () => string;
}

/** Why a withdrawal is refused, in the order in which requests and confirmations are judged. */
export type PerpWithdrawalRefusal =
  | 'token_unsupported'
  | 'below_minimum'
  | 'chain_not_initialized'
  | 'withdrawals_paused'
  | 'too_many_withdrawals'
  | 'insufficient_balance'
  | 'withdrawal_not_found'
  | 'withdrawal_not_pending'
  | 'chain_query_failed'
  | 'withdrawal_pending'
  | 'withdrawal_slot_conflict'
  | 'signer_unavailable'
  | 'sign_failed';

export type PerpWithdrawalOutcome =
  | { readonly kind: 'done'; readonly withdrawal: PerpWithdrawalView }
  | { readonly kind: 'refused'; readonly refusal: PerpWithdrawalRefusal };

export interface PerpWithdrawalRequest {
  readonly address: Address;
  readonly token: string;
  readonly amount: Decimal;
}

export function refusePerpWithdrawal(refusal: PerpWithdrawalRefusal): PerpWithdrawalOutcome {
  return { kind: 'refused', refusal };
}

/** The minimum amount of a withdrawal; zero without a setting. */
export function perpMinimumOf(ports: PerpWithdrawPorts): Decimal {
  const { perpWithdrawMinimum, withdrawMinimums } = ports;
  return perpWithdrawMinimum ?? withdrawMinimums.get(transferToken) ?? (0n as Decimal);
}

/**
 * Sets the amount aside until its owner confirms or cancels.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing stays set aside, or it
 * shows in the history.
 */
export async function requestPerpWithdrawal(
  ports: PerpWithdrawPorts,
  { address, token: symbol, amount: asked }: PerpWithdrawalRequest,
): Promise<PerpWithdrawalOutcome> {
  const { vaultSigner, chainId } = ports;
  if (symbol !== transferToken) return refusePerpWithdrawal('token_unsupported');
  if (asked < perpMinimumOf(ports)) return refusePerpWithdrawal('below_minimum');
  const { contractAddress } = vaultSigner;
  const token = vaultSigner.findToken(symbol);
  if (contractAddress === null || token === null) {
    return refusePerpWithdrawal('chain_not_initialized');
  }
  const amount = cutForToken(asked, token.decimals);
  if (amount <= 0n) return refusePerpWithdrawal('below_minimum');
  const terms: WithdrawalTerms = {
    id: ports.newWithdrawalId(),
    account: address,
    token: symbol,
    tokenAddress: token.address,
    amount,
    rawAmount: rawFromAmount(amount, token.decimals),
    chainId,
    contractAddress,
  };
  return ports.walletSettler.whileMaking(terms.id, () => setAside(ports, terms));
}

async function setAside(
  { exchange, walletStore, perpWithdrawals, walletHistory, vaultSigner }: PerpWithdrawPorts,
  terms: WithdrawalTerms,
): Promise<PerpWithdrawalOutcome> {
  const { id, account, amount } = terms;
  const opened = await perpWithdrawals.openPending(terms);
  if (opened === 'paused') return refusePerpWithdrawal('withdrawals_paused');
  if (opened === 'too_many') return refusePerpWithdrawal('too_many_withdrawals');
  // What could not be signed now is not set aside: the vault may be paused, or name another signer.
  const refusal = vaultSigner.isSigning
    ? await reserveFunds(exchange, { account, amount, reference: id })
    : 'signer_unavailable';
  if (refusal !== null) {
    await walletStore.giveUpWithdrawal(id);
    return refusePerpWithdrawal(refusal);
  }
  if (!(await perpWithdrawals.markPending(id))) throw abandonedWithdrawalError(id);
  return showPerpWithdrawal(walletHistory, account, id);
}

async function reserveFunds(
  exchange: Exchange,
  { account, ...terms }: Pick<ReservePerpFunds, 'amount' | 'reference'> & { account: Address },
): Promise<PerpWithdrawalRefusal | null> {
  const accountId = exchange.peek((view) => view.findAccount(account));
  if (accountId === null) return 'insufficient_balance';
  const { rejection } = await exchange.submit({
    type: 'reservePerpFunds',
    ...terms,
    accountId,
    step: 'reserve',
  });
  if (rejection === null) return null;
  const isGated = rejection.reason === 'withdrawals_gated';
  return isGated ? 'withdrawals_paused' : 'insufficient_balance';
}

/** The withdrawal as its owner sees it now. */
export async function showPerpWithdrawal(
  walletHistory: WalletHistory,
  address: Address,
  id: string,
): Promise<PerpWithdrawalOutcome> {
  const withdrawal = await walletHistory.findPerpWithdrawal(address, id);
  if (withdrawal === null) return refusePerpWithdrawal('withdrawal_not_found');
  return { kind: 'done', withdrawal };
}
