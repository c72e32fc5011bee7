import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { say } from '../../feed/notices.ts';
import { TextField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import * as texts from '../../text/en/referral.ts';
import { run } from './run.ts';

/** The code of the link that led here. */
const code = signal(new URLSearchParams(location.search).get('code') ?? '');

async function bind(): Promise<void> {
  await api.call('POST /api/v1/referral/bind', { body: { code: code.value.trim() } });
  say('good', texts.boundToCodeOwner);
}

export function BindForm() {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void run(bind);
      }}
    >
      <TextField
        label={texts.referrersCode}
        value={code.value}
        onInput={(text) => {
          code.value = text;
        }}
      />
      <SendButton type="submit">{texts.bind}</SendButton>
    </form>
  );
}
