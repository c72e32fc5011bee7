import { api } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { formatFraction } from '../../number/format.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { Loaded } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';
import { foreignText } from '../../text/foreign.ts';
import { BindForm } from './bind-form.tsx';
import { isBusy, run } from './run.ts';

async function createCode(): Promise<void> {
  const made = await api.call('POST /api/v1/referral/codes', { body: null });
  say('good', texts.yourCodeIs(made.code));
}

async function copyLink(code: string): Promise<void> {
  await navigator.clipboard.writeText(`${location.origin}/referral?code=${code}`);
  say('plain', texts.linkCopied);
}

async function unbind(): Promise<void> {
  const text = texts.unbindExplained;
  if (!(await confirm({ title: texts.unbindQuestion, text, action: texts.unbind }))) return;
  await api.call('POST /api/v1/referral/unbind', { body: null });
  say('plain', texts.unbound);
}

function OwnCode({ code }: { code: string }) {
  return (
    <span>
      {texts.yourCode}{' '}
      <strong class="mono" data-test="own-code">
        {foreignText(code)}
      </strong>{' '}
      <button type="button" class="small" onClick={() => void run(() => copyLink(code))}>
        {texts.copyLink}
      </button>
    </span>
  );
}

function Referrer({ address }: { address: string | null }) {
  return (
    <span>
      {texts.boundTo} <ChainLink to="address" value={address} />{' '}
      <SendButton class="small plain" disabled={isBusy.value} onClick={() => void run(unbind)}>
        {texts.unbind}
      </SendButton>
    </span>
  );
}

export function Standing() {
  const status = useApi('GET /api/v1/referral/status', {});
  return (
    <Loaded query={status} waiting={<div class="row standing" aria-busy="true" />}>
      {(each) => (
        <div class="row standing">
          {each.code === null ? (
            <SendButton
              class="primary"
              disabled={isBusy.value}
              onClick={() => void run(createCode)}
            >
              {texts.createOwnCode}
            </SendButton>
          ) : (
            <OwnCode code={each.code} />
          )}
          <span class="tag">{foreignText(each.tier_name ?? texts.noTierYet)}</span>
          <span>{texts.ratePercent(formatFraction(each.rebate_rate))}</span>
          {each.is_bound ? <Referrer address={each.referrer} /> : <BindForm />}
        </div>
      )}
    </Loaded>
  );
}
