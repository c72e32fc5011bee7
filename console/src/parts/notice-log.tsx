import { type Notice, noticeLog } from '../feed/notices.ts';
import { formatTime } from '../number/format.ts';
import * as texts from '../text/en/frame.ts';
import type { WrittenColumn } from './csv-file.ts';
import { CsvButton } from './table.tsx';

const columns: readonly WrittenColumn<Notice>[] = [
  { title: texts.noticeTime, text: ({ at }) => new Date(at).toISOString() },
  { title: texts.notice, text: ({ text }) => text },
  { title: texts.codeAndRequest, text: ({ note }) => note },
];

/** All notices of this session, with codes and request ids. */
export function NoticeLog() {
  const notices = noticeLog.value;
  if (notices.length === 0) return <>{texts.noNoticesYet}</>;
  return (
    <>
      <ul>
        {notices.map(({ id, at, text, note }) => (
          <li key={id}>
            <span class="dim">{formatTime(at)}</span> {text} <code class="dim">{note}</code>
          </li>
        ))}
      </ul>
      <CsvButton name="notices" columns={columns} rows={notices} />
    </>
  );
}
