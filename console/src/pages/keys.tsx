import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../api/api.ts';
import { refresh, useApi } from '../api/query.ts';
import { say, sayError } from '../feed/notices.ts';
import { isSignedIn } from '../feed/session.ts';
import { formatMoment } from '../number/format.ts';
import { CheckField } from '../parts/check-field.tsx';
import { confirm } from '../parts/dialog.tsx';
import { TextField } from '../parts/number-field.tsx';
import { SendButton } from '../parts/send-button.tsx';
import { openSignIn } from '../parts/sign-in-menu.ts';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';
import * as texts from '../text/en/pages.ts';

type ApiKey = Answer<'GET /api/v1/account/api-keys'>[number];

const label = signal('');
const addresses = signal('');
const mayTrade = signal(true);

const list = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '');

async function create(): Promise<void> {
  try {
    const key = await api.call('POST /api/v1/account/api-keys', {
      body: {
        label: label.value,
        ip_whitelist: list(addresses.value),
        permissions: mayTrade.value ? ['read', 'trade'] : ['read'],
      },
    });
    label.value = '';
    refresh('GET /api/v1/account/api-keys');
    await showSecret(key.api_key, key.api_secret);
  } catch (error) {
    sayError(error);
  }
}

/** Shows the secret this one time; it is stored nowhere. */
function showSecret(key: string, secret: string): Promise<boolean> {
  const text = (
    <div class="columns">
      <div>
        <p class="dim">{texts.key}</p>
        <code data-test="api-key">{key}</code>
      </div>
      <div>
        <p class="dim">{texts.secretShownThisOnce}</p>
        <code data-test="api-secret">{secret}</code>{' '}
        <button
          type="button"
          class="small"
          onClick={() => void navigator.clipboard.writeText(secret)}
        >
          {texts.copy}
        </button>
      </div>
    </div>
  );
  return confirm({
    title: texts.yourNewAPIKey,
    text,
    action: texts.iHaveSavedIt,
    isStatement: true,
    staysOpen: true,
  });
}

async function change(key: ApiKey): Promise<void> {
  try {
    await api.call('PATCH /api/v1/account/api-keys/:api_key', {
      params: { api_key: key.api_key },
      body: { enabled: !key.enabled },
    });
    refresh('GET /api/v1/account/api-keys');
  } catch (error) {
    sayError(error);
  }
}

async function remove(key: ApiKey): Promise<void> {
  const text = texts.keyStopsWorking(key.label);
  if (
    !(await confirm({ title: texts.deleteKeyQuestion, text, action: texts.deleteIt, kind: 'sell' }))
  )
    return;
  try {
    await api.call('DELETE /api/v1/account/api-keys/:api_key', {
      params: { api_key: key.api_key },
    });
    say('plain', texts.keyDeleted);
    refresh('GET /api/v1/account/api-keys');
  } catch (error) {
    sayError(error);
  }
}

const columns: readonly Column<ApiKey>[] = [
  { title: texts.label, cell: (key) => key.label, text: (key) => key.label },
  {
    title: texts.key,
    cell: (key) => <code>{key.api_key.slice(0, 12)}…</code>,
    text: (key) => key.api_key,
  },
  {
    title: texts.permissions,
    cell: (key) => key.permissions.join(', '),
    text: (key) => key.permissions.join(' '),
  },
  {
    title: texts.addresses,
    cell: (key) => (key.ip_whitelist.length === 0 ? texts.anyAddress : key.ip_whitelist.join(', ')),
    text: (key) => key.ip_whitelist.join(' '),
  },
  {
    title: texts.created,
    cell: (key) => formatMoment(key.created_at),
    text: (key) => key.created_at,
  },
  {
    title: texts.lastUsed,
    cell: (key) => (key.last_used_at === null ? 'never' : formatMoment(key.last_used_at)),
    text: (key) => key.last_used_at,
  },
  {
    title: texts.state,
    cell: (key) => (
      <span class={`tag ${key.enabled ? 'good' : 'warn'}`}>
        {key.enabled ? texts.enabled : texts.disabled}
      </span>
    ),
  },
  {
    title: '',
    cell: (key) => (
      <span class="row">
        <SendButton class="small" onClick={() => void change(key)}>
          {key.enabled ? texts.disable : texts.enable}
        </SendButton>
        <SendButton class="small" onClick={() => void remove(key)}>
          {texts.deleteKey}
        </SendButton>
      </span>
    ),
  },
];

function NewKey() {
  return (
    <section class="panel" aria-label={texts.newKey}>
      <header>
        <h2>{texts.newKey}</h2>
      </header>
      <form
        class="body"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <div class="row">
          <TextField
            label={texts.label}
            value={label.value}
            onInput={(text) => {
              label.value = text;
            }}
          />
          <TextField
            label={texts.allowedAddresses}
            value={addresses.value}
            placeholder="203.0.113.7"
            onInput={(text) => {
              addresses.value = text;
            }}
          />
        </div>
        <CheckField
          label={texts.mayTrade}
          isChecked={mayTrade.value}
          onChange={(isAllowed) => {
            mayTrade.value = isAllowed;
          }}
        />
        <div class="row">
          <SendButton type="submit" class="primary">
            {texts.createKey}
          </SendButton>
          <span class="dim small-text">{texts.keyLimits}</span>
        </div>
      </form>
    </section>
  );
}

export function KeysPage() {
  const query = useApi('GET /api/v1/account/api-keys', {}, { isEnabled: isSignedIn.value });
  return (
    <main class="page" id="main">
      <h1>{texts.apiKeys}</h1>
      {!isSignedIn.value && (
        <p>
          <button type="button" class="primary" onClick={openSignIn}>
            {texts.signInToSeeKeys}
          </button>
        </p>
      )}
      {isSignedIn.value && (
        <>
          <NewKey />
          <section class="panel" aria-label={texts.yourKeys}>
            <header>
              <h2>{texts.yourKeys}</h2>
              <CsvButton name="api-keys" columns={columns} rows={query.data ?? []} />
            </header>
            <Loaded query={query}>
              {(keys) => (
                <Table
                  caption={texts.yourKeys}
                  columns={columns}
                  rows={keys}
                  keyOf={(key) => key.api_key}
                  empty={texts.noKeysYet}
                />
              )}
            </Loaded>
          </section>
        </>
      )}
    </main>
  );
}
