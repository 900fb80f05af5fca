// explain/ says why a client is denied, and from when it is admitted. An identity and stored states enter, and lines
// leave. It imports clients, policies, terminal, invocation and failure.
import { coveredBy, limitSource, showMoment, showTime, termsLines, type TierState } from '@sluice/metrics/operations';
import { finite, otherDocument, printNothing, tierDocument } from '../clients/client-document.js';
import { printClientTable } from '../clients/client-table.js';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { namesOf, noteGaps } from '../clients/gaps.js';
import { readStates, rulingOf, shownOf, type ClientOptions, type ClientRuling } from '../clients/tier-states.js';
import type { StoredKey } from '../clients/stored-keys.js';
import { routesOf } from '../policies/tier-routes.js';
import { youngOverrides } from '../policies/young-overrides.js';
import type { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';
import { bold, dim, green, red, yellow, type Part } from '../terminal/styled.js';
import type { Terminal } from '../terminal/terminal.js';

interface ExplainOptions extends ClientOptions {
  readonly config?: string;
}

/** Prints why a client is denied, from the stored states, and when its next request fits. It changes nothing. */
export async function explain({ args, options, terminal, signal }: Invocation<ExplainOptions>): Promise<ExitCode> {
  const identity = await readIdentity(args);
  return withLimiters(options, async (source) => {
    const states = await readStates(source, identity, { options, terminal, signal });
    const shown = shownOf(states, options);
    const ruling = rulingOf(states, shown);
    noteGaps(terminal, states, options);
    // A user may have no right to the keys of policies.
    const young = await youngOverrides(source).catch(() => undefined);
    const known = { shown, others: states.others, ruling, young };
    if (terminal.isJson) terminal.document(documentOf(known));
    else if (shown.length + states.others.length === 0) printNothing(identity, states, terminal);
    else print(known, terminal);
    return ruling.exitCode;
  });
}

/** What is known of the client. */
interface Known {
  readonly shown: readonly TierState[];
  readonly others: readonly StoredKey[];
  readonly ruling: ClientRuling;
  /** Why this is not yet so in each process. */
  readonly young: string | undefined;
}

function documentOf({ shown, others, ruling: { allowed, denying, paidBy }, young }: Known): object {
  const last = lastOf(denying);
  const now = allowed === null ? null : (shown[0]?.inspection.readAt ?? null);
  return {
    allowed,
    deniedBy: [...new Set(denying.map(({ tier }) => tier.name))],
    paidBy: paidBy.map(({ tier }) => tier.name),
    inForceWithin: young === undefined ? 0 : 6_000,
    fitsIn: last ? finite(waitOf(last)) : allowed === null ? null : 0,
    fitsAt: last ? finite(last.inspection.fitsAt) : now,
    tiers: shown.map((state) => ({
      ...tierDocument(state),
      routes: routesOf(state) ?? null,
      terms: (state.isLimitKnown && state.inspection.terms) || null,
    })),
    others: others.map(otherDocument),
  };
}

function print(known: Known, terminal: Terminal): void {
  const { shown, others, young } = known;
  terminal.print(...headline(known), young === undefined ? '' : `; ${young}`);
  terminal.print('');
  printClientTable(terminal, shown, others);
  for (const state of shown) {
    const { tier, inspection, isLimitKnown } = state;
    terminal.print('');
    const hasLimit = isLimitKnown && !inspection.policy.algorithm.neverRefills;
    terminal.print(bold(tier.name), hasLimit ? `: limit ${limitText(state)}` : '');
    const lines = isLimitKnown ? termsLines(inspection) : ['the limit depends on the request: pass --limit'];
    const routes = routesOf(state);
    if (routes !== undefined) terminal.print(`  only for ${routes.join(', ')}`);
    for (const line of lines) terminal.print(`  ${line}`);
    if (inspection.key !== '') terminal.print('  ', dim(`key ${inspection.key}`));
    if (inspection.recorded.length > 0) terminal.print(`  recorded: ${counted(inspection.recorded)}`);
  }
  for (const { tier, kind, key } of others) {
    terminal.print('');
    terminal.print(bold(tier));
    terminal.print(`  ${kind.name}, of which the configuration has no numbers`);
    terminal.print('  ', dim(`key ${key}`));
  }
}

/** `300, default`, `50000, plan pro`. Of an override the first line says all. */
function limitText(state: TierState): string {
  const { limit } = state.inspection.policy;
  return state.inspection.override === undefined ? `${limit}, ${limitSource(state)}` : limitSource(state);
}

/** Texts, newest first. One that follows itself is counted. */
function counted(texts: readonly string[]): string {
  const runs: { text: string; count: number }[] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.text === text) last.count += 1;
    else runs.push({ text, count: 1 });
  }
  return runs.map(({ text, count }) => (count === 1 ? text : `${text} × ${count}`)).join(', ');
}

function headline({ shown, others, ruling: { allowed, denying, paidBy }, young }: Known): readonly Part[] {
  const last = lastOf(denying);
  if (last === undefined) {
    const open = shown.filter(({ isLimitKnown, plan }) => !isLimitKnown || plan !== undefined);
    const names = [...new Set([...open.map(({ tier }) => tier.name), ...namesOf(others)])].join(', ');
    if (allowed === null) return [yellow('not known'), names === '' ? '' : `: it depends on ${names}`];
    const { readAt } = shown[0]!.inspection;
    const payers = paidBy.map(({ tier }) => tier.name).join(', ');
    const paid = payers === '' ? '' : `, paid by ${payers}`;
    return [
      green(young === undefined ? 'fits now' : 'fits'),
      `${paid}, at ${showMoment(readAt, readAt)} by Redis' clock`,
    ];
  }
  const { fitsAt, readAt } = last.inspection;
  const names = red(`denied by ${[...new Set(denying.map(placedName))].join(', ')}`);
  if (fitsAt === Infinity) return [names, `; ${whatHelps(last)}`];
  return [names, `; fits in ${showTime(waitOf(last))}, at ${showMoment(fitsAt, readAt)} by Redis' clock`];
}

/** What ends a denial that no time ends. */
function whatHelps({ limiter, tier, inspection: { policy } }: TierState): string {
  if (policy.algorithm.neverRefills) return 'fits when it gets units';
  const payers = limiter.tiers.filter((each) => coveredBy(each.policy)?.includes(tier.name)).map(({ name }) => name);
  if (payers.length > 0) return `fits when ${payers.join(' or ')} gets units`;
  return 'never fits: the tier can never hold this cost';
}

/** With the routes that its limiter meets: other requests of the client are not denied by it. */
function placedName(state: TierState): string {
  const routes = routesOf(state);
  return routes === undefined ? state.tier.name : `${state.tier.name} (${routes.join(', ')})`;
}

/** The tier that the request waits for. Nodes of a Cluster have a clock each. */
function lastOf(denying: readonly TierState[]): TierState | undefined {
  return denying.toSorted((one, other) => waitOf(other) - waitOf(one))[0];
}

function waitOf({ inspection: { fitsAt, readAt } }: TierState): number {
  return Math.max(0, fitsAt - readAt);
}
