import type { Top, TopEntry } from '@sluice/dashboard';
import { ExitCode } from '../failure/exit-code.js';
import type { Invocation } from '../invocation/invocation.js';
import { countText, shareText } from '../terminal/figures.js';
import { DashboardClient } from './dashboard-client.js';

interface TopOptions {
  readonly url: string;
  readonly by: keyof Top;
  readonly number: number;
}

/** Ticks until those that send are counted: an application counts them only while it is watched. */
const TICKS = 5;

/** Prints the clients that are denied most, or that send most. */
export async function top({ options, terminal, signal }: Invocation<TopOptions>): Promise<ExitCode> {
  const { url, by, number, timeout } = options;
  const client = new DashboardClient({ url, timeout, signal });
  const { isKeyed, top: known } = await client.state();
  const lists = by === 'sending' ? await watched(client) : known;
  const entries = lists[by].slice(0, number);
  if (!isKeyed) terminal.note('the limiters have no secret, so digests of addresses can be guessed');
  if (terminal.isJson) terminal.document({ by, clients: entries });
  else if (entries.length === 0) terminal.print(by === 'denied' ? 'no client was denied' : 'no client has sent');
  else terminal.printTable(COLUMNS, entries.map(row));
  return ExitCode.fine;
}

const COLUMNS = [
  { title: 'client' },
  { title: 'tier' },
  { title: 'requests', align: 'right' },
  { title: 'share', align: 'right' },
] as const;

function row({ tier, digest, label, count, error, share }: TopEntry): string[] {
  const requests = error === 0 ? countText(count) : `${countText(count - error)} to ${countText(count)}`;
  return [label === undefined ? digest : `${label} (${digest})`, tier, requests, shareText(share)];
}

async function watched(client: DashboardClient): Promise<Top> {
  let lists: Top = { denied: [], sending: [] };
  let ticks = 0;
  for await (const { name, data } of client.events()) {
    if (name !== 'tick') continue;
    lists = data.top;
    ticks += 1;
    if (ticks === TICKS) break;
  }
  return lists;
}
