import { type Answer, toUnits } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { address } from '../../feed/session.ts';
import { formatWhole } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { Loaded } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';
import { foreignText } from '../../text/foreign.ts';

/** Whether the service has counted the same as the contract has paid. */
function Agreement({ onChain, counted }: { onChain: string; counted: string }) {
  const isSame = toUnits(onChain) === toUnits(counted);
  return (
    <span class={`tag ${isSame ? 'good' : 'warn'}`}>
      {isSame ? texts.serviceAgrees : texts.serviceCounted(formatWhole(counted))}
    </span>
  );
}

function Operator() {
  const query = useApi('GET /api/v1/referral/on-chain/operator-status', {}, { every: 300_000 });
  return (
    <Loaded query={query} waiting="…">
      {({ operator_address: operator, is_operator: may }) => (
        <>
          <ChainLink to="address" value={operator} isShort />{' '}
          <span class={`tag ${may ? 'good' : 'warn'}`}>
            {may ? texts.mayWriteRegister : texts.mayNotWriteRegister}
          </span>
        </>
      )}
    </Loaded>
  );
}

type Rebate = Answer<'GET /api/v1/referral/on-chain/user-rebate/:address'>;

interface FactsProps {
  /** Null: not read yet. */
  readonly rebate: Rebate | null;
  readonly counted: string | undefined;
}

function Facts({ rebate, counted }: FactsProps) {
  return (
    <dl class="pairs" aria-busy={rebate === null}>
      <dt>{texts.claimed}</dt>
      <dd>
        <Usdt value={rebate?.claimed_usd} /> {texts.usdt}{' '}
        {rebate !== null && counted !== undefined && (
          <Agreement onChain={rebate.claimed_usd} counted={counted} />
        )}
      </dd>
      <dt>{texts.nonce}</dt>
      <dd>{rebate?.nonce ?? '…'}</dd>
      <dt>{texts.tier}</dt>
      <dd>{foreignText(rebate?.tier_name ?? '…')}</dd>
      <dt>{texts.referrer}</dt>
      <dd>{rebate === null ? '…' : <ChainLink to="address" value={rebate.referrer} />}</dd>
      <dt>{texts.operator}</dt>
      <dd>
        <Operator />
      </dd>
    </dl>
  );
}

/** What the contracts say of the account, besides what the service has counted. */
export function OnChainState() {
  const whose = address.value ?? '';
  const query = useApi(
    'GET /api/v1/referral/on-chain/user-rebate/:address',
    { params: { address: whose } },
    { every: 60_000 },
  );
  const dashboard = useApi('GET /api/v1/referral/dashboard', {}, { every: 60_000 });
  const counted = dashboard.data?.claimed_commission;
  return (
    <section class="panel" aria-label={texts.onChain}>
      <header>
        <h2>{texts.stateOnChain}</h2>
      </header>
      <div class="body">
        <Loaded query={query} waiting={<Facts rebate={null} counted={counted} />}>
          {(rebate) => <Facts rebate={rebate} counted={counted} />}
        </Loaded>
      </div>
    </section>
  );
}
