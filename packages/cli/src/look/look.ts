// look/ shows what is stored for a client. An identity enters, and a table leaves. It imports clients, invocation and
// failure.
import { otherDocument, printNothing, tierDocument } from '../clients/client-document.js';
import { printClientTable, printLines } from '../clients/client-table.js';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { noteGaps } from '../clients/gaps.js';
import { readStates, rulingOf, shownOf, type ClientOptions } from '../clients/tier-states.js';
import type { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';

interface LookOptions extends ClientOptions {
  readonly config?: string;
}

/** Prints what a client has left. It changes nothing. */
export async function look({ args, options, terminal, signal }: Invocation<LookOptions>): Promise<ExitCode> {
  const identity = await readIdentity(args);
  return withLimiters(options, async (source) => {
    const states = await readStates(source, identity, { options, terminal, signal });
    const shown = shownOf(states, options);
    const { allowed, exitCode } = rulingOf(states, shown);
    noteGaps(terminal, states, options);
    const { others } = states;
    if (terminal.isJson) {
      terminal.document({ allowed, tiers: shown.map(tierDocument), others: others.map(otherDocument) });
    } else if (shown.length + others.length === 0) printNothing(identity, states, terminal);
    else {
      printClientTable(terminal, shown, others);
      printLines(terminal, shown);
    }
    return exitCode;
  });
}
