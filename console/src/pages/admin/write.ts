import { say, sayError } from '../../feed/notices.ts';
import { confirm } from '../../parts/dialog.tsx';

/** Asks for confirmation of every write; the critical ones require typing their name. */
export async function write(
  text: string,
  work: () => Promise<unknown>,
  typed?: string,
): Promise<void> {
  const question = { title: 'Do this as the operator?', text, action: 'Do it' };
  if (!(await confirm(typed === undefined ? question : { ...question, typed }))) return;
  try {
    await work();
    say('good', `${text} Done.`);
  } catch (error) {
    sayError(error);
  }
}
