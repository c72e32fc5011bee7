import type { BatchInsert } from '../batch-insert.ts';
import type { StatementRunner } from '../projector/statement-queue.ts';

/** Copies rows that are certainly new, which is cheaper; known ones are inserted over the old. */
export async function writeRows<R>(
  statements: StatementRunner,
  insert: BatchInsert<R>,
  { added, known = [] }: { readonly added: readonly R[]; readonly known?: readonly R[] },
): Promise<void> {
  await Promise.all([
    ...insert.copies(added).map((copy) => statements.copy(copy)),
    known.length > 0 && statements.run(insert.statement(known)),
  ]);
}
