import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { say } from '../../feed/notices.ts';
import { readNumber } from '../../number/read-number.ts';
import { NumberField, SelectField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import * as texts from '../../text/en/wallet.ts';
import { isBusy, run } from './run.ts';

const direction = signal<'spot_to_perp' | 'perp_to_spot'>('spot_to_perp');

const transferAmount = signal('');

// One id while the amount is unchanged: after a lost answer it is sent again and counts once.
let transferId = crypto.getRandomValues(new Uint32Array(3)).join('-');

async function transferNow(): Promise<void> {
  const amount = readNumber(transferAmount.value);
  if (amount === null) return;
  await api.call('POST /api/v1/spot/transfer', {
    body: { direction: direction.value, token: 'USDT', amount, client_transfer_id: transferId },
  });
  transferId = crypto.getRandomValues(new Uint32Array(3)).join('-');
  transferAmount.value = '';
  say('good', texts.usdtMoved(amount));
  refresh('GET /api/v1/spot/transfers', 'GET /api/v1/unified/account');
}

export function TransferPanel() {
  return (
    <section class="panel" aria-label={texts.transfer}>
      <header>
        <h2>{texts.transfer}</h2>
      </header>
      <div class="body">
        <SelectField
          label={texts.direction}
          value={direction.value}
          options={[
            { value: 'spot_to_perp', text: texts.spotToPerp },
            { value: 'perp_to_spot', text: texts.perpToSpot },
          ]}
          onChange={(value) => {
            direction.value = value;
          }}
        />
        <NumberField
          label={texts.amount}
          unit="USDT"
          value={transferAmount.value}
          step="0.00000001"
          onInput={(text) => {
            transferAmount.value = text;
          }}
        />
        <SendButton
          class="primary"
          disabled={isBusy.value !== '' || readNumber(transferAmount.value) === null}
          onClick={() => void run('transfer', transferNow)}
        >
          {texts.transfer}
        </SendButton>
      </div>
    </section>
  );
}
