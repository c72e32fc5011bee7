import { api } from '../../api/api.ts';
import { useApi } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { formatFraction } from '../../number/format.ts';
import { Loaded } from '../../parts/table.tsx';
import { BindForm } from './bind-form.tsx';
import { isBusy, run } from './run.ts';

async function createCode(): Promise<void> {
  const made = await api.call('POST /api/v1/referral/codes', { body: null });
  say('good', `Your code is ${made.code}.`);
}

export function Standing() {
  const status = useApi('GET /api/v1/referral/status', {});
  return (
    <Loaded query={status} waiting={<div class="row awaited" aria-busy="true" />}>
      {(each) => (
        <div class="row">
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
            <span>
              Your code{' '}
              <strong class="mono" data-test="own-code">
                {each.code}
              </strong>
            </span>
          )}
          <span class="tag">{each.tier_name ?? 'no tier yet'}</span>
          <span>Rate {formatFraction(each.rebate_rate)}</span>
          {each.is_bound ? (
            <span>
              Bound to <code>{each.referrer}</code>
            </span>
          ) : (
            <BindForm />
          )}
        </div>
      )}
    </Loaded>
  );
}
