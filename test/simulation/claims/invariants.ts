import { sumOf } from '../../support/claims/claim-book.ts';
import {
  type ContractState,
  contractAt,
  cursorOf,
  headOf,
  isCursorOnChain,
  type Scenario,
  voucherOf,
  type World,
} from './world.ts';

/** What must hold in every state; the first rule that does not, or null. */
export function findViolation(world: World, scenario: Scenario): string | null {
  const head = contractAt(world, scenario, world.chain.length - 1);
  const always = checkContract(world, head) ?? checkOrders(world);
  if (always !== null) return always;
  // While the chain has left the last counted block, the database describes the chain as it was.
  if (!isCursorOnChain(world)) return null;
  const atCursor = contractAt(world, scenario, cursorOf(world).number);
  return checkCounted(world, atCursor, head) ?? checkFailures(world, scenario);
}

// C1, C3: the contract never owes or pays what was not earned.
function checkContract({ book }: World, head: ContractState): string | null {
  const earned = sumOf(book.earnings, () => true);
  if (head.settled > earned) return `C1: ${head.settled} settled of ${earned} earned`;
  if (head.claimed > head.settled) return `C3: ${head.claimed} claimed of ${head.settled} settled`;
  return null;
}

// C4, C5, C6: orders and their commission.
function checkOrders({ book }: World): string | null {
  const processing = book.claims.filter(({ status }) => status === 'processing');
  if (processing.length > 1) return 'C6: two orders are processing';
  for (const { claimNo, status, amount } of book.claims) {
    const rows = book.earnings.filter((earning) => earning.claimNo === claimNo);
    const sum = sumOf(rows, () => true);
    const expected = status === 'failed' ? 0n : amount;
    if (sum !== expected) return `C5: ${claimNo} is ${status} and has ${sum} of ${amount}`;
    const wanted = status === 'success' ? 'claimed' : 'pending';
    if (rows.some((row) => row.status !== wanted))
      return `C7: rows of ${claimNo} are not ${wanted}`;
  }
  const orphan = book.earnings.find(
    ({ claimNo, status }) => claimNo === null && status === 'claimed',
  );
  return orphan === undefined ? null : 'C4: claimed commission belongs to no claim';
}

// C2, C7, C8, C9: the database says what the chain says at the cursor.
function checkCounted(
  { book, batches }: World,
  atCursor: ContractState,
  head: ContractState,
): string | null {
  const synced = sumOf(book.earnings, ({ syncStatus }) => syncStatus === 'synced');
  if (synced !== atCursor.settled) {
    return `C2: ${synced} synced, ${atCursor.settled} settled at the cursor`;
  }
  const inFlight = sumOf(
    book.earnings,
    ({ syncStatus, batch }) =>
      syncStatus === 'pending' && batch !== null && batches[batch]?.isOpen === true,
  );
  if (head.settled > synced + inFlight) {
    return `C2: ${head.settled} settled, ${synced} synced and ${inFlight} in flight`;
  }
  const claimed = sumOf(book.earnings, ({ status }) => status === 'claimed');
  if (claimed !== atCursor.claimed) {
    return `C8: ${claimed} claimed here, ${atCursor.claimed} on chain`;
  }
  if (book.redemptions.length !== atCursor.nonce) {
    return `C9: ${book.redemptions.length} redemptions counted of ${atCursor.nonce}`;
  }
  return null;
}

// C10: an abandoned order is never redeemed; a processing one can still be, or is about to be
// abandoned.
function checkFailures(world: World, scenario: Scenario): string | null {
  const { confirmations, reorganizationDepthMax } = scenario;
  const isCountedFinal = confirmations >= reorganizationDepthMax;
  const redeemed = world.chain
    .flatMap(({ transactions }) => transactions)
    .flatMap((entry) =>
      entry.kind === 'redeem' ? [voucherOf(world.vouchers, entry.voucher)] : [],
    );
  const cursorTime = world.chain[cursorOf(world).number]?.time ?? headOf(world).time;
  for (const { failureReason, nonce, deadline, amount, claimNo, status } of world.book.claims) {
    if (deadline === null) continue;
    const isRedeemed = redeemed.some(
      (voucher) =>
        voucher.nonce === nonce && voucher.deadline === deadline && voucher.amount === amount,
    );
    if (failureReason === 'SIGNATURE_EXPIRED') {
      if (isRedeemed) return `C10: ${claimNo} expired and was redeemed`;
      if (isCountedFinal && cursorTime <= deadline) {
        return `C10: ${claimNo} expired at ${cursorTime}, its deadline is ${deadline}`;
      }
    }
    if (failureReason === 'CHAIN_REORGANIZED' && isCountedFinal) {
      return `C9: ${claimNo} was made for a nonce that was used already`;
    }
    if (failureReason === 'NONCE_USED' && isRedeemed) {
      return `C10: ${claimNo} lost its nonce and was redeemed`;
    }
    if (status === 'processing' && cursorTime > deadline) {
      return `C10: ${claimNo} is processing after its deadline`;
    }
  }
  return null;
}
