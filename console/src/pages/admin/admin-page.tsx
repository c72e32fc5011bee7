import { signal } from '@preact/signals';
import { type AdminSession, adminSession, openAdminSession } from '../../api/api.ts';
import { sayError } from '../../feed/notices.ts';
import { SelectField, TextField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import * as texts from '../../text/en/admin.ts';
import { OperatorDesk } from './operator-desk.tsx';

// The operator's page. The key is exchanged for a session at once and not kept; the session stays
// in memory, and is discarded after a while and on leaving.

const typedKey = signal('');
const role = signal<AdminSession['role']>('write');

async function enter(): Promise<void> {
  const key = typedKey.value;
  typedKey.value = '';
  try {
    await openAdminSession(key, role.value);
  } catch (error) {
    sayError(error);
  }
}

export function AdminPage() {
  return (
    <main class="page" id="main">
      <h1>{texts.operator}</h1>
      {adminSession.value === null ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void enter();
          }}
        >
          <TextField
            label={texts.administratorKey}
            type="password"
            value={typedKey.value}
            onInput={(text) => {
              typedKey.value = text;
            }}
          />
          <SelectField
            label={texts.session}
            value={role.value}
            options={[
              { value: 'write', text: texts.readAndChange },
              { value: 'read', text: texts.readOnly },
            ]}
            onChange={(value) => {
              role.value = value;
            }}
          />
          <SendButton type="submit" class="primary">
            {texts.enter}
          </SendButton>
        </form>
      ) : (
        <OperatorDesk session={adminSession.value} />
      )}
    </main>
  );
}
