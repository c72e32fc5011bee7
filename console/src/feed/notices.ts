import { signal } from '@preact/signals';
import { shownErrorOf } from '../api/api.ts';
import { foreignText } from '../text/foreign.ts';
import { loadSentences, sentenceOf } from '../text/sentence.ts';
import { noteRefusal } from './maintenance.ts';

export interface Notice {
  readonly id: number;
  readonly kind: 'good' | 'bad' | 'plain';
  readonly text: string;
  /** Code and request id, for reporting an error. */
  readonly note: string;
  readonly at: number;
  /** Of several notices with the same subject only the newest is kept; null: of its own. */
  readonly subject: string | null;
}

/** The notices that are shown now. */
export const notices = signal<readonly Notice[]>([]);
/** All notices of this session, newest first. */
export const noticeLog = signal<readonly Notice[]>([]);

/** A wallet's own message has any length. */
const noticeLength = 200;
const shownMs = 6_000;
const logMax = 200;
let count = 0;

export interface NoticeDetails {
  readonly note?: string;
  readonly subject?: string;
}

export function say(kind: Notice['kind'], text: string, details: NoticeDetails = {}): void {
  count += 1;
  const { note = '', subject = null } = details;
  const shown = foreignText(text, noticeLength);
  const notice = { id: count, kind, text: shown, note, at: Date.now(), subject };
  const isOther = (each: Notice): boolean => subject === null || each.subject !== subject;
  notices.value = [...notices.value.filter(isOther).slice(-3), notice];
  noticeLog.value = [notice, ...noticeLog.value.filter(isOther)].slice(0, logMax);
  // Errors stay until they are dismissed.
  if (kind !== 'bad') setTimeout(() => dismiss(notice.id), shownMs);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}

/** Shows an error as a sentence, with code and request id. */
export function sayError(error: unknown): void {
  const { code, detail, requestId } = shownErrorOf(error);
  void noteRefusal(code);
  const note = [code, requestId].filter((each) => each !== null).join(' · ');
  void loadSentences().then(() => say('bad', sentenceOf(code, detail), { note }));
}
