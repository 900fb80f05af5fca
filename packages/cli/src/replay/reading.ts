import type { Log } from '../logs/log.js';
import type { OtherLine } from '../logs/other-line.js';
import { countOf, countText, shareText } from '../terminal/figures.js';
import type { ClientForm } from './client-form.js';
import type { Demand } from './demand.js';
import type { Kind } from './kinds/kind.js';
import { isPrivate } from './private-address.js';

/** What of a log was read, and what was left out. */
export interface Reading {
  /** Lines of requests, and those that cannot be read. */
  readonly lines: number;
  readonly unreadable: number;
  readonly firstUnreadable?: OtherLine;
  /** Lines that can be read and are no requests. */
  readonly otherEvents: number;
  /** Requests without the field of `--key`, such as those of a Unix socket. */
  readonly unidentified: number;
  /** Requests of clients that did not fit the memory. */
  readonly leftOut: number;
  /** The requests that were read fill the memory, and the rest of the log was left out. */
  readonly isFull: boolean;
  /** Clients with an address that nobody on the internet has, but for programs and monitors. */
  readonly privateClients: number;
  /** How many clients the log names in which way, and one of them. */
  readonly forms: readonly { readonly form: ClientForm; readonly clients: number; readonly example?: string }[];
}

/** What runs in one's own network. */
const OWN: readonly Kind[] = ['program', 'monitor'];

/** @param isAnonymous leaves out what names a client */
export function readingOf(log: Log, demand: Demand, isAnonymous: boolean): Reading {
  const { lines, unreadable, firstUnreadable, otherEvents } = log;
  const forms = new Map<ClientForm, { clients: number; example: string }>();
  let privateClients = 0;
  for (const { form, kind, name, text } of demand.clients) {
    if (form === 'address' && !OWN.includes(kind) && isPrivate(text)) privateClients += 1;
    const count = forms.get(form) ?? { clients: 0, example: name };
    count.clients += 1;
    // The same one whatever the order of the lines.
    if (name < count.example) count.example = name;
    forms.set(form, count);
  }
  return {
    lines,
    unreadable,
    ...(firstUnreadable && { firstUnreadable: isAnonymous ? { ...firstUnreadable, text: '' } : firstUnreadable }),
    otherEvents,
    unidentified: demand.unidentified,
    leftOut: demand.leftOut,
    isFull: demand.isFull,
    privateClients,
    forms: [...forms].map(([form, { clients, example }]) => ({ form, clients, ...(!isAnonymous && { example }) })),
  };
}

interface ReadReport {
  readonly reading: Reading;
  readonly requests: number;
  readonly clients: number;
  readonly key: string;
}

/** What of a log was not read, or not as the limiter will see it, in sentences. */
export function readingNotes(report: ReadReport): readonly string[] {
  const { reading, requests, key } = report;
  const { lines, unreadable, firstUnreadable, otherEvents, unidentified } = reading;
  const notes: string[] = [];
  if (unreadable > 0) {
    const { at, text } = firstUnreadable!;
    const first = unreadable === 1 ? '' : ', the first at';
    const share = `${countOf(unreadable, 'line')} (${shareText(unreadable / lines)})`;
    const shown = text === '' ? '' : `: ${text}`;
    notes.push(`${share} cannot be read as requests and ${were(unreadable)} left out${first || ':'} ${at}${shown}`);
  }
  if (otherEvents > 0)
    notes.push(
      `${countOf(otherEvents, 'line')} ${are(otherEvents)} about other events than requests and ${were(otherEvents)} left out.`,
    );
  if (unidentified > 0) {
    const share = shareText(unidentified / Math.max(1, unidentified + requests));
    const what = key === 'ip' ? 'address, as those of a Unix socket,' : key;
    notes.push(
      `${countOf(unidentified, 'request')} (${share}) ${unidentified === 1 ? 'has' : 'have'} no ${what} and ${were(unidentified)} left out.`,
    );
  }
  if (key === 'ip') notes.push(...formNotes(reading));
  return [...notes, ...memoryNotes(report)];
}

/** What did not fit the memory. */
function memoryNotes({ reading, requests, clients }: ReadReport): readonly string[] {
  const { leftOut, isFull } = reading;
  const notes: string[] = [];
  if (isFull) {
    notes.push(
      `The first ${countOf(requests, 'request')} fill the memory that they may take, and the rest of the log was left out: replay fewer files at a time.`,
    );
  }
  if (leftOut > 0) {
    notes.push(
      `${countOf(leftOut, 'request')} of further clients ${were(leftOut)} left out: ${countOf(clients, 'client')} fill the memory that they may take. Give Node more, as by NODE_OPTIONS=--max-old-space-size=8192.`,
    );
  }
  return notes;
}

const FORM_NOTES: Readonly<Record<Exclude<ClientForm, 'address'>, (clients: string, are: string) => string>> = {
  host: (clients, verb) => `${clients} ${verb} named by host names: the limiter will see addresses.`,
  masked: (clients, verb) =>
    `${clients} ${verb} named by addresses that are partly hidden: several clients may be counted as one.`,
  text: (clients, verb) =>
    `${clients} ${verb} named by neither an address nor a host name: the limiter will see addresses.`,
};

function formNotes({ forms }: Reading): readonly string[] {
  return forms.flatMap(({ form, clients, example }) => {
    if (form === 'address') return [];
    const named = example === undefined ? '' : `, such as ${example},`;
    return FORM_NOTES[form](`${countText(clients)} ${clients === 1 ? 'client' : 'clients'}${named}`, are(clients));
  });
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}
