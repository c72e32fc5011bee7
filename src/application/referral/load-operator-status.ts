import type { OnChainPorts } from './load-user-rebate.ts';

export interface OperatorStatusView {
  readonly operator_address: string;
  readonly is_operator: boolean;
  readonly contract_address: string;
}

/**
 * Whether the contracts accept this service's signatures and settlements.
 * @throws ChainError
 */
export async function loadOperatorStatus({
  onChainReader,
}: OnChainPorts): Promise<OperatorStatusView> {
  const standing = await onChainReader.loadOperatorStatus();
  return {
    operator_address: standing.operator,
    is_operator: standing.isOperator,
    contract_address: standing.contract,
  };
}
