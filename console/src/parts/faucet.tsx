import { signal } from '@preact/signals';
import { api } from '../api/api.ts';
import { say, sayError } from '../feed/notices.ts';
import { isSignedIn } from '../feed/session.ts';
import { site } from '../feed/site.ts';
import * as texts from '../text/en/account.ts';
import { SendButton } from './send-button.tsx';

const isDrawing = signal(false);

const amounts = { USDT: '10000', BTC: '0.1', ETH: '2', DF: '1000' } as const;

/** Draws test money of each kind; only the result for USDT is reported. */
async function draw(): Promise<void> {
  isDrawing.value = true;
  try {
    await api.call('POST /api/v1/faucet', { body: { token: 'USDT', amount: amounts.USDT } });
    say('good', texts.testMoneyReceived(amounts.USDT));
    for (const token of ['BTC', 'ETH', 'DF'] as const) {
      await api
        .call('POST /api/v1/faucet', { body: { token, amount: amounts[token] } })
        .catch(() => undefined);
    }
  } catch (error) {
    sayError(error);
  } finally {
    isDrawing.value = false;
  }
}

/** Offers test money on test networks. */
export function FaucetButton() {
  if (site.value?.is_testnet !== true || !isSignedIn.value) return null;
  return (
    <SendButton class="small" disabled={isDrawing.value} onClick={() => void draw()}>
      {isDrawing.value ? texts.requestingTestMoney : texts.getTestMoney}
    </SendButton>
  );
}
