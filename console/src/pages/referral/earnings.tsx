import { useApi } from '../../api/query.ts';
import { formatWhole } from '../../number/format.ts';
import { Loaded } from '../../parts/table.tsx';

export function Earnings() {
  const dashboard = useApi('GET /api/v1/referral/dashboard', {}, { every: 60_000 });
  return (
    <Loaded query={dashboard}>
      {(each) => (
        <dl class="cards">
          {(
            [
              ['Earned', each.total_commission],
              ['On chain, claimable', each.claimable],
              ['Waiting for the chain', each.pending_commission],
              ['Failed', each.failed_commission],
              ['Claimed', each.claimed_commission],
            ] as const
          ).map(([name, amount]) => (
            <div class="figure" key={name}>
              <dt>{name}, USDT</dt>
              <dd>{formatWhole(amount)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  );
}
