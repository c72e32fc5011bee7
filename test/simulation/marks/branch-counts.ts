import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../architecture/source-files.ts';

// V8 counts how often each branch runs, in the code as it is delivered. It counts those that are
// compiled from now on, so this module is the first import of a program.

const parts = [
  'engine',
  'cluster',
  'sequencer',
  'journal',
  'database/projector',
  'application/wallet',
  'chain/events',
  'chain/node/quorum',
];
const counted = new RegExp(`^(src/(?:${parts.join('|')})/[^?]+\\.ts)`);
/** What is logged or thrown, or a reason for which the engine refuses or closes. */
const isMessage = (text: string): boolean =>
  /^[^;{}]* [^;{}]*$/.test(text) || /^[a-z]+(?:_[a-z]+)+$/.test(text);

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface CoveredScript {
  readonly scriptId: string;
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

const session = new Session();
session.connect();
ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** How often the branch of each message has run, by file and text. */
export function countMessages(): Record<string, number> {
  const { result } = ask('Profiler.takePreciseCoverage') as { result: CoveredScript[] };
  ask('Debugger.enable');
  const root = pathToFileURL(`${projectRoot}/`).href;
  const counts: Record<string, number> = {};
  for (const { scriptId, url, functions } of result) {
    const [, file] = counted.exec(url.slice(root.length)) ?? [];
    if (file === undefined || !url.startsWith(root)) continue;
    const { scriptSource } = ask('Debugger.getScriptSource', { scriptId }) as {
      scriptSource: string;
    };
    const ranges = functions.flatMap((each) => each.ranges);
    for (const { at, text } of messagesIn(scriptSource)) {
      const name = `${file}: ${text}`;
      counts[name] = (counts[name] ?? 0) + countAt(ranges, at);
    }
  }
  ask('Debugger.disable');
  return counts;
}

/** Without the parts that differ from case to case. */
function messagesIn(source: string): { readonly at: number; readonly text: string }[] {
  const literal = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
  return [...source.matchAll(literal)]
    .map((match) => ({
      at: match.index,
      text: (match[1] ?? match[2] ?? '').replaceAll(/\$\{[^{}]*\}/g, '…'),
    }))
    .filter(({ text }) => isMessage(text));
}

// The innermost range is the branch.
function countAt(ranges: readonly Range[], at: number): number {
  let inner: Range | null = null;
  for (const range of ranges) {
    if (range.startOffset > at || range.endOffset <= at) continue;
    const length = range.endOffset - range.startOffset;
    if (inner === null || length <= inner.endOffset - inner.startOffset) inner = range;
  }
  return inner?.count ?? 0;
}

// Within one process the answer is immediate.
function ask(method: string, parameters: object = {}): object {
  let answer: object | undefined;
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw error;
    answer = result ?? {};
  });
  if (answer === undefined) throw new Error(`${method} is not answered at once`);
  return answer;
}
