import { usage } from '../failure/failure.js';
import type { Terminal } from './terminal.js';

/**
 * Asks before a change, unless `--yes` is passed. False for the answer no.
 *
 * @throws Failure where there is no terminal to ask on
 */
export async function agreed(terminal: Terminal, question: string, yes: boolean | undefined): Promise<boolean> {
  const isAgreed = yes ?? (await terminal.ask(question));
  if (isAgreed === undefined) throw usage('nothing was changed: there is no terminal to ask on, so pass --yes');
  if (!isAgreed) terminal.note('nothing was changed');
  return isAgreed;
}
