import { signal } from '@preact/signals';
import { adminKey, api } from '../../api/api.ts';
import { sayError } from '../../feed/notices.ts';
import { TextField } from '../../parts/number-field.tsx';
import { OperatorDesk } from './operator-desk.tsx';

// The operator's page. Its key stays in memory, and is discarded after a while and on leaving.

const typedKey = signal('');

async function enter(): Promise<void> {
  adminKey.value = typedKey.value;
  typedKey.value = '';
  try {
    await api.call('GET /api/v1/admin/withdrawals/pause');
  } catch (error) {
    adminKey.value = null;
    sayError(error);
  }
}

export function AdminPage() {
  return (
    <main class="page" id="main">
      <h1>Operator</h1>
      {adminKey.value === null ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void enter();
          }}
        >
          <TextField
            label="The administrator’s key: kept in memory, forgotten on leaving"
            type="password"
            value={typedKey.value}
            onInput={(text) => {
              typedKey.value = text;
            }}
          />
          <button type="submit" class="primary">
            Enter
          </button>
        </form>
      ) : (
        <OperatorDesk />
      )}
    </main>
  );
}
