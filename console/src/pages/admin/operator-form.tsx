import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { CheckField } from '../../parts/check-field.tsx';
import { SelectField, TextField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import * as texts from '../../text/en/admin.ts';

const fields = signal<Readonly<Record<string, string>>>({});

const set =
  (name: string) =>
  (text: string): void => {
    fields.value = { ...fields.value, [name]: text };
  };

export const get = (name: string): string => fields.value[name]?.trim() ?? '';

const yes = 'yes';

export const isChecked = (name: string): boolean => get(name) === yes;

/** A choice of the operator beside a form's fields. */
export function Check({ name, label }: { name: string; label: string }) {
  return (
    <CheckField
      label={label}
      isChecked={isChecked(name)}
      onChange={(isOn) => set(name)(isOn ? yes : '')}
    />
  );
}

/** Fills in fields as if they had been typed. */
export function fillForm(values: Readonly<Record<string, string>>): void {
  fields.value = { ...fields.value, ...values };
}

/** A field's name, its label and, if it accepts only some values, those values. */
type FormField = readonly [string, string, (readonly string[])?];

interface FormProps {
  readonly title: string;
  readonly names: readonly FormField[];
  readonly action: string;
  readonly onSubmit: () => Promise<void>;
  readonly tools?: ComponentChildren;
  /** Shown between the fields and the action. */
  readonly children?: ComponentChildren;
}

const optionText = (value: string): string =>
  value === '' ? texts.choose : value.replaceAll('_', ' ');

/** A form of the operator; its fields keep their values while the page is open. */
export function Form({ title, names, action, onSubmit, tools, children }: FormProps) {
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
        <div class="row form">
          {names.map(([name, label, choices]) => {
            const value = fields.value[name] ?? '';
            if (choices === undefined) {
              return <TextField key={name} label={label} value={value} onInput={set(name)} />;
            }
            const options = ['', ...choices].map((each) => ({
              value: each,
              text: optionText(each),
            }));
            return (
              <SelectField
                key={name}
                label={label}
                value={value}
                options={options}
                onChange={set(name)}
              />
            );
          })}
          {children}
          <SendButton type="submit" class="primary">
            {action}
          </SendButton>
        </div>
      </form>
    </section>
  );
}
