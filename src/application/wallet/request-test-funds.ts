import { type Amount, formatAmount, toAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Rejection } from '../../domain/rejection.ts';
import { awaitCommit, requireDatabase } from '../admin/admin-write.ts';
import type { TestCreditPorts } from '../admin/credit-spot-balance.ts';
import type { EngineView } from '../ports/exchange.ts';
import type { FaucetWindow } from './faucet-window.ts';

/** Maximum of one draw: 100,000 of a token. */
const faucetAmountMax: Amount = toAmount(100_000n * 10n ** 8n);

export interface FaucetPorts extends TestCreditPorts {
  readonly faucetWindow: FaucetWindow;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicMs: () => number;
}

export interface TestFundsRequest {
  readonly address: Address;
  readonly token: string;
  readonly amount: Amount;
}

/**
 * Gives a signed-in user test money of a traded token, at most once a minute per token.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing was given.
 */
export async function requestTestFunds(
  ports: FaucetPorts,
  draw: TestFundsRequest,
): Promise<Outcome<null>> {
  if (!ports.areTestCreditsEnabled) return refused({ reason: 'test_credits_disabled' });
  const unfit = judgeDraw(ports, draw);
  if (unfit !== null) return refused(unfit);
  const { address, token } = draw;
  const retryAfterMs = ports.faucetWindow.take(address, token, ports.monotonicMs());
  if (retryAfterMs > 0) return refused({ reason: 'too_soon', retryAfterMs });
  try {
    return await credit(ports, draw);
  } catch (error) {
    ports.faucetWindow.release(address, token);
    throw error;
  }
}

function judgeDraw(
  { exchange }: FaucetPorts,
  { token, amount }: TestFundsRequest,
): Rejection | null {
  if (amount <= 0n) return { reason: 'amount_not_positive' };
  if (amount > faucetAmountMax) {
    const detail = `amount: at most ${formatAmount(faucetAmountMax)}`;
    return { reason: 'parameter_invalid', detail };
  }
  if (!exchange.peek((view) => isTraded(view, token))) {
    return { reason: 'parameter_invalid', detail: 'token: not traded in any spot market' };
  }
  return null;
}

// The engine never forgets a token, so the faucet must not be a way to add tokens.
function isTraded(view: EngineView, token: string): boolean {
  return view
    .listSpotMarkets()
    .some((market) => market.baseToken === token || market.quoteToken === token);
}

async function credit(ports: FaucetPorts, draw: TestFundsRequest): Promise<Outcome<null>> {
  await requireDatabase(ports);
  const applied = await ports.exchange.submit({
    type: 'creditBalance',
    ...draw,
    actor: 'faucet',
    reason: null,
    reference: null,
  });
  if (applied.rejection !== null) {
    ports.faucetWindow.release(draw.address, draw.token);
    return refused(applied.rejection);
  }
  await awaitCommit(ports, applied.sequence);
  return done(null);
}
