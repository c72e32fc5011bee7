import type { Activity } from './activity.ts';
import { BalancerActivity } from './balancer-activity.ts';
import { ChainModel } from './chain-model.ts';
import { Draws } from './draws.ts';
import type { Faulty, FaultyChain } from './faults.ts';
import { GatewayActivity } from './gateway-activity.ts';
import { UpgradeActivity } from './upgrade-activity.ts';
import { WalletActivity } from './wallet-activity.ts';

export const profiles = ['alone', 'cluster', 'gateway', 'inject', 'wallet', 'upgrade'] as const;
export type Profile = (typeof profiles)[number];
/** With `balancer` a plan checks whether processes report correctly that they are ready. */
export type PlannedProfile = Profile | 'balancer';

const accounts = 6;

/** What the profile does besides the clients of the engine; null: nothing. */
export function createActivity(
  profile: PlannedProfile,
  faulty: Faulty & { chain: FaultyChain | null },
  onViolation: (error: unknown) => void,
): Activity | null {
  if (profile === 'balancer') return new BalancerActivity(faulty, onViolation);
  if (profile === 'gateway' || profile === 'inject') {
    const hasServer = profile === 'inject';
    return new GatewayActivity({ faulty, accounts, hasServer, onViolation });
  }
  if (profile === 'upgrade') return new UpgradeActivity({ faulty, onViolation });
  if (profile !== 'wallet') return null;
  const { world } = faulty;
  const model = new ChainModel(world, new Draws(world.seed, 'chain'));
  const wallet = new WalletActivity({ faulty, chain: model, accounts, onViolation });
  const { usesQuorum, liar } = wallet;
  faulty.chain = { model, viewOf: (machine) => wallet.viewOf(machine), usesQuorum, liar };
  return wallet;
}
