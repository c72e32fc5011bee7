import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as texts from '../text/en/frame.ts';
import { foreignText, sentenceLength } from '../text/foreign.ts';
import { SendButton } from './send-button.tsx';

export interface Question {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly action: string;
  readonly kind?: 'primary' | 'buy' | 'sell';
  /** Text that must be typed before the action is enabled. */
  readonly typed?: string;
  /** The action moves money, so the page's origin is shown. */
  readonly isMoney?: boolean;
  /** There is nothing to refuse. */
  readonly isStatement?: boolean;
  /** Only the action closes the dialog. */
  readonly staysOpen?: boolean;
}

interface Asked extends Question {
  readonly answer: (isYes: boolean) => void;
}

const asked = signal<Asked | null>(null);

/** Asks in a dialog. Resolves to whether the action was confirmed. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value?.answer(false);
    asked.value = {
      ...question,
      answer: (isYes) => {
        asked.value = null;
        resolve(isYes);
      },
    };
  });
}

/** Renders the questions; used once per page. */
export function Dialogs() {
  const question = asked.value;
  return question === null ? null : <QuestionDialog key={question.title} question={question} />;
}

function QuestionDialog({ question }: { question: Asked }) {
  const {
    title,
    text,
    action,
    kind = 'primary',
    typed,
    isMoney = false,
    isStatement = false,
    staysOpen = false,
    answer,
  } = question;
  const Action = isStatement ? 'button' : SendButton;
  const dialog = useRef<HTMLDialogElement>(null);
  const [word, setWord] = useState('');
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  // A browser closes a dialog whose cancellation is prevented when Escape is pressed again.
  const onClose = (): void => {
    if (staysOpen) dialog.current?.showModal();
    else answer(false);
  };
  const onCancel = (event: Event): void => {
    event.preventDefault();
    if (!staysOpen) answer(false);
  };
  return (
    <dialog ref={dialog} aria-label={title} onCancel={onCancel} onClose={onClose}>
      <div class="dialog">
        <h2>{title}</h2>
        <div>{typeof text === 'string' ? foreignText(text, sentenceLength) : text}</div>
        {typed !== undefined && (
          <label class="field">
            <span class="label">{texts.typeToConfirm(typed)}</span>
            <input
              value={word}
              autocomplete="off"
              onInput={(event) => setWord(event.currentTarget.value)}
            />
          </label>
        )}
        {isMoney && <p class="dim small-text">{texts.currentOrigin(location.origin)}</p>}
        <div class="row">
          <Action
            type="button"
            class={kind}
            disabled={typed !== undefined && word !== typed}
            onClick={() => answer(true)}
          >
            {action}
          </Action>
          {!isStatement && (
            <button type="button" onClick={() => answer(false)}>
              {texts.cancel}
            </button>
          )}
        </div>
      </div>
    </dialog>
  );
}
