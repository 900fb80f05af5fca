// history/ prints what people have changed in a store. An identity or nothing enters, and a table of acts leaves. It imports clients,
// sources, terminal, invocation and failure.
import { IdentityDigest, parseIdentity } from '@sluice/metrics/operations';
import { auditLog, type Act } from '@sluice/policies';
import { actsOnClient } from '@sluice/policies/operations';
import { readIdentity } from '../clients/identity.js';
import { withLimiters } from '../clients/limiters.js';
import { wholeDigest } from '../clients/stored-keys.js';
import { ExitCode } from '../failure/exit-code.js';
import type { GlobalOptions, Invocation } from '../invocation/invocation.js';
import { openRedis } from '../sources/redis-source.js';
import type { Terminal } from '../terminal/terminal.js';

interface HistoryOptions extends GlobalOptions {
  readonly config?: string;
  readonly tier?: readonly string[];
  readonly partition?: string;
  readonly by?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  /** Of the policies in Redis. */
  readonly name: string;
}

const COLUMNS = ['at', 'by', 'act', 'tier', 'client', 'change', 'reason'].map((title) => ({ title }));

/** Prints the acts on a store, or on one client. */
export async function history(invocation: Invocation<HistoryOptions>): Promise<ExitCode> {
  const { options, terminal } = invocation;
  const all = await (invocation.args.length === 0 ? actsOnStore(options) : actsOn(invocation));
  const acts = all.filter(
    ({ tiers }) => options.tier === undefined || tiers.some(({ tier }) => options.tier!.includes(tier)),
  );
  if (terminal.isJson) terminal.document({ acts });
  else if (acts.length === 0) terminal.print('there are no such acts in Redis');
  else print(terminal, acts);
  return acts.length === 0 ? ExitCode.found : ExitCode.fine;
}

async function actsOnStore({ by, since, ...options }: HistoryOptions): Promise<readonly Act[]> {
  const source = await openRedis(options);
  try {
    return await auditLog(source.openStore()).list({ by, since });
  } finally {
    await source.close();
  }
}

async function actsOn({ args, options, signal }: Invocation<HistoryOptions>): Promise<readonly Act[]> {
  const { key: typed } = await readIdentity(args);
  return withLimiters(options, async (source) => {
    const identity = typed instanceof IdentityDigest ? ((await wholeDigest(source, typed, signal)) ?? typed) : typed;
    const { partition: text, by, since, name } = options;
    const partition = text === undefined ? undefined : parseIdentity(text);
    return actsOnClient(source.store, source.limiters, { identity, partition, by, since, policies: [name] });
  });
}

function print(terminal: Terminal, acts: readonly Act[]): void {
  const rows = acts.map(({ at, by = '', operation, tiers, detail = {}, reason = '' }) => [
    new Date(at).toISOString(),
    by,
    operation,
    tiers.map(({ tier }) => tier).join(', '),
    [...new Set(tiers.map(({ digest }) => digest.slice(0, 8)))].join(', '),
    changeText(detail),
    reason,
  ]);
  terminal.printTable(COLUMNS, rows);
}

/** The numbers of a change: `limit 5000 until 2027-01-31T00:00:00.000Z`. */
function changeText(detail: NonNullable<Act['detail']>): string {
  const { limit, until, more, lasts: _until, expiresAt, ...others } = detail;
  const limitText = { null: 'no limit', 0: 'never' }[String(limit)] ?? `limit ${limit}`;
  const momentText = (name: string, value: unknown) =>
    value === undefined ? [] : [`${name} ${new Date(Number(value)).toISOString()}`];
  return [
    ...(limit === undefined ? [] : [limitText]),
    ...(more === undefined ? [] : [`(${more} more)`]),
    ...Object.entries(others).map(([name, value]) => `${name} ${name === 'sha' ? String(value).slice(0, 8) : value}`),
    ...momentText('until', until),
    ...momentText('expires', expiresAt),
  ].join(' ');
}
