// forget/ deletes what is stored for a client, or for all clients of a tier, after a question. An identity or a tier
// enters. It imports clients, keys, sources, terminal, invocation and failure.
import { beside } from '@sluice/core/internal';
import { mayForget, type TierState } from '@sluice/metrics/operations';
import { resetClient, type Author } from '@sluice/policies/operations';
import { otherDocument, printNothing, tierDocument } from '../clients/client-document.js';
import { printClientTable } from '../clients/client-table.js';
import { readIdentity } from '../clients/identity.js';
import { withLimiters, type ConfiguredSource } from '../clients/limiters.js';
import { namesOf } from '../clients/gaps.js';
import { readStates, type ClientOptions } from '../clients/tier-states.js';
import type { StoredKey } from '../clients/stored-keys.js';
import { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';
import { authorOf, reasonOf } from '../policies/policies-source.js';
import { forgetTier, type TierOptions } from './forget-tier.js';
import { agreed } from '../terminal/agreed.js';

/** With the keys of what its tier has beside it, such as the end of a line. */
type State = Pick<StoredKey, 'tier' | 'key'> & { readonly besides?: readonly string[] };

interface ForgetOptions extends ClientOptions, Pick<TierOptions, 'rate'> {
  readonly config?: string;
  readonly yes?: boolean;
  readonly by?: string;
  readonly reason?: string;
}

/** Forgets what a client has used, after it has printed that. */
export async function forget(invocation: Invocation<ForgetOptions>): Promise<ExitCode> {
  const { args, options, terminal, signal } = invocation;
  if (args.length === 0) return forgetTier(invocation);
  const identity = await readIdentity(args);
  const author = {
    by: authorOf(options.by),
    ...(options.reason !== undefined && { reason: reasonOf(options.reason) }),
  };
  return withLimiters(options, async (source) => {
    const states = await readStates(source, identity, { options, terminal, signal });
    const known = states.tiers.filter(({ inspection }) => inspection.isStored);
    const isNamed = options.tier !== undefined;
    const stored = known.filter((state) => isNamed || mayForget(state));
    const others = states.others.filter(({ kind }) => isNamed || kind.loss === 'counts');
    if (stored.length < known.length || others.length < states.others.length) {
      terminal.note('a balance is paid for, and stays: --tier deletes it by its name');
    }
    // A tier has a state for each plan, of one key.
    const names = [...new Set([...stored.map(({ tier }) => tier.name), ...namesOf(others)])];
    if (names.length > 0) {
      if (!terminal.isJson) printClientTable(terminal, stored, others);
      const question = `Forget ${identity.name} in ${names.join(', ')}?`;
      if (!(await agreed(terminal, question, options.yes))) return ExitCode.fine;
      await forgetAll(source, [...stored.map(stateIn), ...others], author);
    }
    const before = { before: stored.map(tierDocument), others: others.map(otherDocument) };
    if (terminal.isJson) terminal.document({ forgotten: names, ...before });
    else if (names.length === 0) printNothing(identity, states, terminal);
    else terminal.print(`forgot ${identity.name} in ${names.join(', ')}`);
    terminal.note('processes that have denied this client recently may deny it for up to 60 s more (deny cache)');
    return names.length === 0 && !states.counting.isCounted ? ExitCode.unreachable : ExitCode.fine;
  });
}

/** The keys that were printed, and no others. */
async function forgetAll({ store }: ConfiguredSource, states: readonly State[], author: Author): Promise<void> {
  const besides = new Map(states.map(({ key, besides: own = [] }) => [key, own]));
  const reset = async (keys: readonly string[]) => store.reset(keys.flatMap((key) => [key, ...besides.get(key)!]));
  await resetClient(store, states, { ...author, reset });
}

function stateIn({ tier, inspection: { key, policy } }: TierState): State {
  return { tier: tier.name, key, besides: beside.of(policy)?.keysOf(key) ?? [] };
}
