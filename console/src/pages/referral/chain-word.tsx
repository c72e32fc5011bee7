import { toUnits } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { address } from '../../feed/session.ts';
import { formatWhole, shortAddress } from '../../number/format.ts';
import { Loaded } from '../../parts/table.tsx';

/** Whether the service has counted the same as the contract has paid. */
function Agreement({ onChain, counted }: { onChain: string; counted: string }) {
  const isSame = toUnits(onChain) === toUnits(counted);
  return (
    <span class={`tag ${isSame ? 'good' : 'warn'}`}>
      {isSame ? 'the service agrees' : `the service has counted ${formatWhole(counted)}`}
    </span>
  );
}

function Operator() {
  const query = useApi('GET /api/v1/referral/on-chain/operator-status', {}, { every: 300_000 });
  return (
    <Loaded query={query}>
      {({ operator_address: operator, is_operator: may }) => (
        <>
          <code>{shortAddress(operator)}</code>{' '}
          <span class={`tag ${may ? 'good' : 'warn'}`}>
            {may ? 'may write the register' : 'may not write the register'}
          </span>
        </>
      )}
    </Loaded>
  );
}

/** What the contracts say of the account, besides what the service has counted. */
export function ChainWord() {
  const whose = address.value ?? '';
  const query = useApi(
    'GET /api/v1/referral/on-chain/user-rebate/:address',
    { params: { address: whose } },
    { every: 60_000 },
  );
  const dashboard = useApi('GET /api/v1/referral/dashboard', {}, { every: 60_000 });
  const counted = dashboard.data?.claimed_commission;
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
              <dd>
                {formatWhole(each.claimed_usd)} USDT{' '}
                {counted !== undefined && (
                  <Agreement onChain={each.claimed_usd} counted={counted} />
                )}
              </dd>
              <dt>Nonce</dt>
              <dd>{each.nonce}</dd>
              <dt>Tier</dt>
              <dd>{each.tier_name}</dd>
              <dt>Referrer</dt>
              <dd>
                <code>{each.referrer}</code>
              </dd>
              <dt>Operator</dt>
              <dd>
                <Operator />
              </dd>
            </dl>
          )}
        </Loaded>
      </div>
    </section>
  );
}
