import { api } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { formatFraction } from '../../number/format.ts';
import { confirm } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/table.tsx';
import { BindForm } from './bind-form.tsx';
import { isBusy, run } from './run.ts';

async function createCode(): Promise<void> {
  const made = await api.call('POST /api/v1/referral/codes', { body: null });
  say('good', `Your code is ${made.code}.`);
}

async function copyLink(code: string): Promise<void> {
  await navigator.clipboard.writeText(`${location.origin}/referral?code=${code}`);
  say('plain', 'The link is copied. It opens with your code filled in.');
}

async function unbind(): Promise<void> {
  const text = 'Your trades earn your referrer nothing from now on. You can bind to a code again.';
  if (!(await confirm({ title: 'Unbind from your referrer?', text, action: 'Unbind' }))) return;
  await api.call('POST /api/v1/referral/unbind', { body: null });
  say('plain', 'You have no referrer.');
}

function OwnCode({ code }: { code: string }) {
  return (
    <span>
      Your code{' '}
      <strong class="mono" data-test="own-code">
        {code}
      </strong>{' '}
      <button type="button" class="small" onClick={() => void run(() => copyLink(code))}>
        Copy link
      </button>
    </span>
  );
}

function Referrer({ address }: { address: string | null }) {
  return (
    <span>
      Bound to <code>{address}</code>{' '}
      <button
        type="button"
        class="small plain"
        disabled={isBusy.value}
        onClick={() => void run(unbind)}
      >
        Unbind
      </button>
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
            <button
              type="button"
              class="primary"
              disabled={isBusy.value}
              onClick={() => void run(createCode)}
            >
              Get a code of your own
            </button>
          ) : (
            <OwnCode code={each.code} />
          )}
          <span class="tag">{each.tier_name ?? 'no tier yet'}</span>
          <span>Rate {formatFraction(each.rebate_rate)}</span>
          {each.is_bound ? <Referrer address={each.referrer} /> : <BindForm />}
        </div>
      )}
    </Loaded>
  );
}
