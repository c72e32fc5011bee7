import { toMicroUsdt } from '../../../src/domain/micro-usdt.ts';
import { createClaim, retryClaim } from '../../../src/programs/claims/create-claim.ts';
import { applyEffects, factsOf } from '../../support/claims/claim-book.ts';
import { type Step, spend } from './step.ts';
import { contractAt, headOf, type Scenario, voucherSeconds, type World } from './world.ts';

// Users ask for orders and for bare signatures. The nonce is read in one step and used in another.

export function claimSteps(world: World, scenario: Scenario): readonly Step[] {
  const steps: Step[] = [];
  const head = contractAt(world, scenario, world.chain.length - 1);
  const deadline = headOf(world).time + voucherSeconds;
  // With an order under way any claim is refused, whatever was read.
  const isUnderWay = factsOf(world.book).processing !== null;
  const mayClaim = world.budget.claims + world.budget.retries > 0;
  if (world.claimNonceRead === null && mayClaim && !isUnderWay) {
    const next = { ...world, claimNonceRead: head.nonce };
    steps.push({ name: 'read nonce for a claim', world: next });
  }
  if (world.claimNonceRead !== null) {
    steps.push(...orderSteps(world, scenario, { nonce: world.claimNonceRead, deadline }));
  }
  if (world.budget.foreignVouchers > 0) {
    for (const amount of [1n, 2n]) {
      const voucher = { amount, nonce: head.nonce, deadline };
      const next = { ...spend(world, 'foreignVouchers'), vouchers: [...world.vouchers, voucher] };
      steps.push({ name: `sign ${amount} without an order`, world: next });
    }
  }
  if (scenario.planted.has('expiry_by_server_clock')) {
    const { processing } = factsOf(world.book);
    if (processing !== null) {
      const { claimNo } = processing;
      const book = applyEffects(
        world.book,
        [
          { type: 'heldReleased', claimNo },
          { type: 'claimFailed', claimNo, failure: 'SIGNATURE_EXPIRED' },
        ],
        0,
      );
      steps.push({ name: 'expire by the server clock', world: { ...world, book } });
    }
  }
  return steps;
}

function orderSteps(
  world: World,
  { planted }: Scenario,
  { nonce, deadline }: { readonly nonce: number; readonly deadline: number },
): readonly Step[] {
  const facts = factsOf(world.book);
  const chainNonce = planted.has('claim_without_nonce_check') ? facts.redemptionCount : nonce;
  const used = { ...world, claimNonceRead: null };
  const steps: Step[] = [];
  const accept = (name: string, amount: bigint, book: World['book'], paid: World): void => {
    const vouchers = [...world.vouchers, { amount, nonce, deadline }];
    steps.push({ name, world: { ...paid, book, vouchers } });
  };
  if (world.budget.claims > 0) {
    const claimNo = `claim-${world.budget.claims}`;
    const minimum = toMicroUsdt(1n);
    const decision = createClaim(facts, { claimNo, chainNonce, deadline, minimum });
    if (decision.kind === 'accepted') {
      const effects = decision.effects.map((effect) =>
        effect.type === 'claimOpened' ? { ...effect, claim: { ...effect.claim, nonce } } : effect,
      );
      const book = applyEffects(world.book, effects, 0);
      accept('create claim', facts.free, book, spend(used, 'claims'));
    }
  }
  for (const claim of world.book.claims) {
    if (world.budget.retries === 0) break;
    const decision = retryClaim(facts, claim, { chainNonce, deadline });
    if (decision.kind === 'accepted') {
      const book = applyEffects(world.book, decision.effects, 0);
      accept(`retry ${claim.claimNo}`, claim.amount, book, spend(used, 'retries'));
    }
  }
  if (steps.length === 0) steps.push({ name: 'claim refused', world: used });
  return steps;
}
