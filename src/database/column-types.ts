import type { ColumnType } from 'kysely';

// Columns of the tables as queries see them: numbers that can exceed 2^53 and decimals are texts.

export type Int8 = ColumnType<string, number | string, number | string>;
export type DecimalText = ColumnType<string, string, string>;
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
