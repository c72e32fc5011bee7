import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from './endpoint.ts';

// Lists below /api/v1 as CSV (RFC 4180) for callers that ask for text/csv: one page of the list,
// one line a row, with the fields of the documented row as columns. Nested values are JSON.

/** Where an answer has its rows, and the columns of a row. */
export interface CsvShape {
  /** Null: the answer itself is the list. */
  readonly field: string | null;
  readonly columns: readonly string[];
}

interface ShapeSchema {
  readonly type?: string;
  readonly items?: ShapeSchema;
  readonly properties?: Readonly<Record<string, ShapeSchema>>;
}

type CsvSource = Pick<Endpoint, 'path' | 'method' | 'answer'>;

const listFields = ['items', 'entries'] as const;

/** The CSV of an endpoint's answer; null if the answer is not a list of rows. */
export function csvShapeOf({ path, method, answer }: CsvSource): CsvShape | null {
  if (method !== 'GET' || !path.startsWith('/api/v1/')) return null;
  const schema = answer as ShapeSchema;
  const field = listFields.find((name) => schema.properties?.[name] !== undefined) ?? null;
  const list = field === null ? schema : schema.properties?.[field];
  const row = list?.items?.properties;
  return list?.type !== 'array' || row === undefined ? null : { field, columns: Object.keys(row) };
}

const knownTypes: ReadonlySet<string> = new Set(['text/csv', 'application/json', '*/*']);

/** Whether the caller prefers CSV: it names it before JSON. */
export function wantsCsv({ headers: { accept = '' } }: FastifyRequest): boolean {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  return types.find((type) => knownTypes.has(type)) === 'text/csv';
}

/** Adds Accept to the Vary header, which caches follow. */
export function varyByAccept(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept' : `${String(vary)}, accept`);
}

/** Sends a list; the next page's cursor and the list's length are headers, if it has them. */
export function sendCsv(reply: FastifyReply, shape: CsvShape, value: unknown): FastifyReply {
  const answer = value as Readonly<Record<string, unknown>>;
  const rows = (shape.field === null ? value : answer[shape.field]) as readonly Row[];
  const { next_cursor: cursor, total } = answer;
  if (typeof cursor === 'string') reply.header('x-next-cursor', cursor);
  if (typeof total === 'number') reply.header('x-total-count', total);
  return reply
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .send(csvText(shape.columns, rows));
}

type Row = Readonly<Record<string, unknown>>;

export function csvText(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

const plainNumber = /^-?[0-9]+(\.[0-9]+)?$/;
// Spreadsheets read what begins like this as a formula.
const formulaStart = /^[=+\-@\t\r]/;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isFormula = formulaStart.test(text) && !plainNumber.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
