import { parseIdentity, type TierState } from '@sluice/core/operations';
import { clientTable } from '../clients/client-table.js';
import { printNothing, tierDocument } from '../clients/client-document.js';
import { readIdentity, type TypedIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { noteGaps, readStates, type ClientOptions } from '../clients/tier-states.js';
import { ExitCode } from '../exit-code.js';
import { usage } from '../failure.js';
import type { Invocation } from '../invocation.js';

interface ForgetOptions extends ClientOptions {
  readonly config?: string;
  readonly yes?: boolean;
}

/** Forgets what a client has used, after it has printed that. */
export async function forget({ args, options, terminal }: Invocation<ForgetOptions>): Promise<ExitCode> {
  const identity = await readIdentity(args);
  return withLimiters(options, async (limiters) => {
    const states = await readStates(limiters, identity, options);
    const stored = states.filter(({ explanation }) => explanation.isStored);
    noteGaps(terminal, limiters, states, options);
    const names = stored.map(({ tier }) => tier.name);
    if (stored.length > 0) {
      if (!terminal.isJson) terminal.print(clientTable(stored, terminal));
      const isAgreed = options.yes ?? (await terminal.ask(`Forget ${identity.name} in ${names.join(', ')}?`));
      if (isAgreed === undefined) throw usage('nothing was changed: there is no terminal to ask on, so pass --yes');
      if (!isAgreed) {
        terminal.note('nothing was changed');
        return ExitCode.fine;
      }
      await forgetIn(stored, identity, options);
    }
    if (terminal.isJson) terminal.document({ forgotten: names, before: stored.map(tierDocument) });
    else if (stored.length === 0) printNothing(identity.name, states, terminal);
    else terminal.print(`forgot ${identity.name} in ${names.join(', ')}`);
    terminal.note('processes that have denied this client recently may deny it for up to 60 s more (deny cache)');
    return ExitCode.fine;
  });
}

async function forgetIn(stored: readonly TierState[], { key }: TypedIdentity, { partition }: ClientOptions) {
  const options = partition === undefined ? {} : { partition: parseIdentity(partition) };
  await Promise.all(stored.map(({ limiter, tier }) => limiter.forget(key, { ...options, tiers: [tier.name] })));
}
