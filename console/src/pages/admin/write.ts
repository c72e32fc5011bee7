import { say, sayError } from '../../feed/notices.ts';
import { confirm } from '../../parts/dialog.tsx';
import * as texts from '../../text/en/admin.ts';

/**
 * Asks for confirmation of every write; the critical ones require typing their name.
 * @param text What is done, as an instruction: "Halt the spot market BTCUSDT."
 */
export async function write(
  text: string,
  work: () => Promise<unknown>,
  typed?: string,
): Promise<void> {
  const question = { title: texts.confirmOperatorAction, text, action: texts.confirm };
  if (!(await confirm(typed === undefined ? question : { ...question, typed }))) return;
  try {
    await work();
    say('good', texts.done(text));
  } catch (error) {
    sayError(error);
  }
}
