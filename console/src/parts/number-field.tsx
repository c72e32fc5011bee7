import { useId, useRef } from 'preact/hooks';
import {
  acceptEdit,
  acceptPaste,
  cutToStep,
  moveBySteps,
  readNumber,
} from '../number/read-number.ts';
import * as texts from '../text/en/frame.ts';
import { sentenceOf } from '../text/sentence.ts';

export interface NumberFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  /** The value is truncated to it on leaving the field, and the arrow keys add it. */
  readonly step: string;
  readonly error?: string | null;
  readonly hint?: string;
  readonly isDisabled?: boolean;
  /** Shows buttons that move the number by one step. */
  readonly hasButtons?: boolean;
  /** The number from which an empty field is moved; absent: 0. */
  readonly start?: string | null | undefined;
}

const stepsOfKey: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowDown: -1,
  PageUp: 100,
  PageDown: -100,
};

/** For the pointer: with the keyboard the arrow keys of the field do the same. */
function StepButtons({ label, onMove }: { label: string; onMove: (steps: number) => void }) {
  const steps = [
    ['−', 'down', -1],
    ['+', 'up', 1],
  ] as const;
  return (
    <>
      {steps.map(([sign, word, count]) => (
        <button
          key={sign}
          type="button"
          class="step"
          tabIndex={-1}
          aria-label={texts.oneStep(label, word)}
          onClick={() => onMove(count)}
        >
          {sign}
        </button>
      ))}
    </>
  );
}

/** A field for a number in text form: kept as typed, and refused if it cannot become a number. */
export function NumberField(props: NumberFieldProps) {
  const { label, unit, value, onInput, step, error = null, hint, isDisabled = false } = props;
  const { hasButtons = false, start } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const take = (text: string | null): void => {
    if (text !== null) onInput(text);
    // Refused text must not stay in the field either.
    if (field.current !== null && text === null) field.current.value = value;
  };
  const move = (steps: number): void =>
    onInput(moveBySteps(value === '' ? (start ?? '') : value, step, steps));
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = stepsOfKey[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    move(event.shiftKey ? steps * 10 : steps);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = acceptPaste(event.clipboardData?.getData('text') ?? '');
    if (pasted === null) return;
    event.preventDefault();
    onInput(pasted);
  };
  const onBlur = (): void => {
    const number = readNumber(value);
    if (number !== null) onInput(cutToStep(number, step));
  };
  return (
    <div class="field">
      <label class="label" for={id}>
        <span>{label}</span>
        {hint !== undefined && <span>{hint}</span>}
      </label>
      <div class="box">
        <div class="entry">
          <input
            id={id}
            ref={field}
            class="number"
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={value}
            disabled={isDisabled}
            aria-invalid={error !== null}
            {...(error === null ? {} : { 'aria-describedby': `${id}-error` })}
            onInput={(event) => take(acceptEdit(event.currentTarget.value))}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={onBlur}
          />
          <span class="unit">{unit}</span>
        </div>
        {hasButtons && <StepButtons label={label} onMove={move} />}
      </div>
      {error !== null && (
        <span class="wrong" id={`${id}-error`}>
          {sentenceOf(error)}
        </span>
      )}
    </div>
  );
}

export interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly type?: 'text' | 'password';
  readonly placeholder?: string;
}

export function TextField({
  label,
  value,
  onInput,
  type = 'text',
  placeholder = '',
}: TextFieldProps) {
  const id = useId();
  return (
    <div class="field grow">
      <label class="label" for={id}>
        {label}
      </label>
      <input
        id={id}
        {...(type === 'password' ? { type } : {})}
        value={value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

export interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
}

export function SelectField<Value extends string>({
  label,
  value,
  options,
  onChange,
}: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.text}
          </option>
        ))}
      </select>
    </div>
  );
}
