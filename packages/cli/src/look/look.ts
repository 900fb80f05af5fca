import { clientTable } from '../clients/client-table.js';
import { printNothing, tierDocument } from '../clients/client-document.js';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { noteGaps, readStates, shownOf, type ClientOptions } from '../clients/tier-states.js';
import { ExitCode } from '../exit-code.js';
import type { Invocation } from '../invocation.js';

interface LookOptions extends ClientOptions {
  readonly config?: string;
}

/** Prints what a client has left. It changes nothing. */
export async function look({ args, options, terminal }: Invocation<LookOptions>): Promise<ExitCode> {
  const identity = await readIdentity(args);
  return withLimiters(options, async (limiters) => {
    const states = await readStates(limiters, identity, options);
    const shown = shownOf(states, options);
    noteGaps(terminal, limiters, states, options);
    const isAllowed = shown.every(({ tier, explanation }) => tier.shadow || explanation.outcome.allowed);
    if (terminal.isJson) terminal.document({ allowed: isAllowed, tiers: shown.map(tierDocument) });
    else if (shown.length === 0) printNothing(identity.name, states, terminal);
    else terminal.print(clientTable(shown, terminal));
    return isAllowed ? ExitCode.fine : ExitCode.found;
  });
}
