import type { WalletKind, WithdrawalTerms } from '../../application/wallet/wallet-ports.ts';
import { formatAmount } from '../../domain/amount.ts';

/** A row without slot, signature and status. */
export function withdrawalRow(terms: WithdrawalTerms, wallet: WalletKind, createdAt: Date) {
  return {
    id: terms.id,
    wallet,
    account: terms.account,
    token: terms.token,
    token_address: terms.tokenAddress,
    amount: formatAmount(terms.amount),
    raw_amount: String(terms.rawAmount),
    chain_id: terms.chainId,
    contract_address: terms.contractAddress,
    nonce: null,
    deadline: null,
    signature: null,
    tx_hash: null,
    block_number: null,
    created_at: createdAt,
    finished_at: null,
  };
}
