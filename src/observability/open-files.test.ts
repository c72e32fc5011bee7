import { expect, test } from 'vitest';
import { readOpenFilesMax } from './open-files.ts';

const limits = (soft: string): string =>
  'Limit                     Soft Limit           Hard Limit           Units     \n' +
  'Max processes             95892                95892                processes \n' +
  `Max open files            ${soft.padEnd(20)} 524288               files     \n`;

test.each([
  ['1024', 1024],
  ['524288', 524_288],
  ['unlimited', null],
])('open files: a limit of %s is %s', (soft, expected) => {
  expect(readOpenFilesMax(() => limits(soft))).toBe(expected);
});

test('open files: null if the system does not report it', () => {
  const read = (): string => {
    throw new Error('ENOENT');
  };
  expect(readOpenFilesMax(read)).toBeNull();
});
