import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { TextField } from '../../parts/number-field.tsx';

const fields = signal<Readonly<Record<string, string>>>({});

const set =
  (name: string) =>
  (text: string): void => {
    fields.value = { ...fields.value, [name]: text };
  };

export const get = (name: string): string => fields.value[name]?.trim() ?? '';

/** Fills in fields as if they had been typed. */
export function fillForm(values: Readonly<Record<string, string>>): void {
  fields.value = { ...fields.value, ...values };
}

interface FormProps {
  readonly title: string;
  readonly names: readonly (readonly [string, string])[];
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
  readonly tools?: ComponentChildren;
}

export function Form({ title, names, action, onSubmit, tools }: FormProps) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {tools}
      </header>
      <form
        class="body"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <div class="row">
          {names.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              value={fields.value[name] ?? ''}
              onInput={set(name)}
            />
          ))}
          <button type="submit" class="primary">
            {action}
          </button>
        </div>
      </form>
    </section>
  );
}
