import { HOUR_MS, type OptionRows, readOptions } from '@sluice/core/internal';
import type { BillingSink, UsageRow } from '../usage/usage-row.js';
import { refusal, send } from './request.js';
import { URL_ROW, urlOf } from './url-row.js';
import type { UsageChange } from './usage-changes.js';
import type { UsageTable } from './usage-table.js';

export interface OpenMeterOptions {
  /** Where the export is stored first, with each change of an hour. */
  readonly table: UsageTable;
  /** The `eventType` of the meter, or a function of tier and label. What it returns undefined for is not sent. */
  readonly type: string | ((owner: UsageOwner) => string | undefined);
  /** The `subject` of events. What it returns undefined for stays due. @default the label */
  readonly subject?: (owner: UsageOwner) => string | undefined;
  /** The `source` of events: OpenMeter counts an id of a source once. @default 'sluice' */
  readonly source?: string;
  /** @default none, for a server of your own */
  readonly token?: string;
  /** @default 'https://openmeter.cloud' */
  readonly url?: string;
}

/** Whose usage it is. */
export type UsageOwner = Pick<UsageRow, 'tier' | 'label' | 'digest'>;

export const OPEN_METER_ROWS = {
  table: {
    is: (value) => typeof (Object(value) as Partial<UsageTable>).changesOf === 'function',
    words: 'what usageTable() returns',
    required: true,
    secret: true,
  },
  type: { is: /^.+$/, orFunction: true, words: 'the event type of a meter, or a function', required: true },
  subject: { is: 'function', words: 'a function, such as ({ label }) => label' },
  source: { is: /^\S+$/, words: "a text without spaces, such as 'sluice'", otherwise: 'sluice' },
  token: { is: /^\S+$/, words: 'a token, such as process.env.OPENMETER_TOKEN', secret: true },
  url: { ...URL_ROW, otherwise: 'https://openmeter.cloud' },
} as const satisfies OptionRows;

/** Events in a request. */
const EVENTS = 100;

/**
 * A sink that sends each change of an hour to OpenMeter as a CloudEvent. A meter with the aggregation SUM adds them, so each is
 * stored in a table before it is sent, and sent again under its id until OpenMeter has confirmed it.
 *
 * @throws ConfigError
 * @example
 * const sink = openMeter({ table, type: 'requests', token: process.env.OPENMETER_TOKEN });
 * exportUsage(store, { sink });
 */
export function openMeter(options: OpenMeterOptions): BillingSink {
  const values = readOptions('openMeter', options, OPEN_METER_ROWS) as OpenMeterOptions & {
    source: string;
    url: string;
  };
  const { table, type, subject = ({ label }) => label } = values;
  const typeOf = typeof type === 'function' ? type : () => type;
  return async (rows, { signal }) => {
    await table.sink(rows, { signal });
    const changes = await table.changesOf(rows);
    const unsent = new Map<string, string>();
    const due: Addressed[] = [];
    const left: UsageChange[] = [];
    for (const change of changes) {
      const [eventType, owner] = [typeOf(change), subject(change)];
      if (eventType === undefined) left.push(change);
      else if (owner === undefined) unsent.set(change.row, 'no subject of OpenMeter is known for it yet');
      else due.push({ change, event: eventOf(change, { type: eventType, subject: owner, source: values.source }) });
    }
    await table.markSent(left);
    for (let at = 0; at < due.length; at += EVENTS) {
      const some = due.slice(at, at + EVENTS);
      const problem = await sendEvents(values, some, signal);
      if (problem === undefined) await table.markSent(some.map(({ change }) => change));
      else for (const { change } of some) unsent.set(change.row, problem);
    }
    return { kept: [...unsent].map(([id, reason]) => ({ id, reason })) };
  };
}

interface Addressed {
  readonly change: UsageChange;
  readonly event: object;
}

function eventOf({ row, number, units, tier, from }: UsageChange, address: object): object {
  // The last second of the hour, because a subscription may begin within the hour with its first request.
  const time = new Date(from + HOUR_MS - 1_000).toISOString();
  return { specversion: '1.0', id: `${row}.${number}`, ...address, time, data: { units, tier } };
}

/** Why events were not confirmed. */
async function sendEvents(
  { url, token }: { readonly url: string; readonly token?: string },
  some: readonly Addressed[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await send({
    url: urlOf(url, '/api/v1/events'),
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(some.map(({ event }) => event)),
    key: token,
    signal,
  });
  return answer.status >= 200 && answer.status < 300 ? undefined : refusal('OpenMeter', answer);
}
