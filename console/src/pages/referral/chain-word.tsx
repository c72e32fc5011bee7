import { useApi } from '../../api/query.ts';
import { address } from '../../feed/session.ts';
import { formatWhole } from '../../number/format.ts';
import { Loaded } from '../../parts/table.tsx';

export function ChainWord() {
  const whose = address.value ?? '';
  const query = useApi(
    'GET /api/v1/referral/on-chain/user-rebate/:address',
    { params: { address: whose } },
    { every: 60_000 },
  );
  return (
    <section class="panel" aria-label="On chain">
      <header>
        <h2>What the chain says</h2>
      </header>
      <div class="body">
        <Loaded query={query}>
          {(each) => (
            <dl class="pairs">
              <dt>Claimed</dt>
              <dd>{formatWhole(each.claimed_usd)} USDT</dd>
              <dt>Nonce</dt>
              <dd>{each.nonce}</dd>
              <dt>Tier</dt>
              <dd>{each.tier_name}</dd>
              <dt>Referrer</dt>
              <dd>
                <code>{each.referrer}</code>
              </dd>
            </dl>
          )}
        </Loaded>
      </div>
    </section>
  );
}
