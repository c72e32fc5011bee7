import { useApi } from '../../api/query.ts';
import { Usdt } from '../../parts/amount.tsx';
import { CardSkeletons, Cards } from '../../parts/cards.tsx';
import { Loaded } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';

const names = [
  texts.earned,
  texts.claimableAfterSettlement,
  texts.waitingForTheChain,
  texts.failed,
  texts.claimed,
].map((name) => texts.inUsdt(name));

export function Earnings() {
  const dashboard = useApi('GET /api/v1/referral/dashboard', {}, { every: 60_000 });
  return (
    <Loaded query={dashboard} waiting={<CardSkeletons names={names} />}>
      {(each) => {
        const amounts = [
          each.total_commission,
          each.claimable,
          each.pending_commission,
          each.failed_commission,
          each.claimed_commission,
        ];
        return (
          <Cards figures={names.map((name, index) => [name, <Usdt value={amounts[index]} />])} />
        );
      }}
    </Loaded>
  );
}
