import { Random } from './random.js';
import type { Site, SiteRequest, TrueClient } from './site.js';

/** A request as a server answers it. */
export interface Answered extends SiteRequest {
  /** Milliseconds since 1970 when it arrived, and when its response had been sent. */
  readonly arrived: number;
  readonly ended: number;
  /** Of the request among those of the log, in the order of their arrival. */
  readonly id: number;
}

/** How `replay` has to count a line that is no request. */
export type OtherLineKind = 'unreadable' | 'other event' | 'unidentified';

/** A line, when it was written, in milliseconds since 1970, and what it is if it is not a part of a request. */
export type WrittenLine = readonly [time: number, text: string, other?: OtherLineKind];

/** How a server writes its log. */
export interface LogForm {
  readonly lines: (request: Answered) => readonly WrittenLine[];
  /** What the log says of the time of a request, in milliseconds since 1970. */
  readonly timeOf: (request: Answered) => number;
  /** Whom the log names, which clients may share. Empty for nobody. @default the name of the client */
  readonly nameOf?: (client: TrueClient) => string;
  /** Lines between requests, one after the other. */
  readonly others: readonly (readonly [kind: OtherLineKind, text: (time: number) => string])[];
}

/** A log, and what is true of it. */
export interface WrittenLog {
  readonly text: string;
  /** What the log says of its requests, in the order of their times: `at` is in milliseconds since 1970. */
  readonly requests: readonly SiteRequest[];
  /** The clients that it names. */
  readonly clients: readonly TrueClient[];
  readonly others: Readonly<Record<OtherLineKind, number>>;
}

const LONGEST = 400;
/** One request in so many has another line behind it. */
const RARE = 9;

/** Writes the log of a site: in the order in which a server writes its lines, which is mostly that of the answers. */
export function writtenLog({ requests, start }: Site, form: LogForm): WrittenLog {
  const random = new Random(requests.length);
  const lines: WrittenLine[] = [];
  const others = { unreadable: 0, 'other event': 0, unidentified: 0 };
  const seen: (readonly [Answered, line: number])[] = [];
  for (const [id, request] of requests.entries()) {
    const arrived = start + request.at;
    const answered = { ...request, id, arrived, ended: arrived + random.between(1, LONGEST) };
    const written = form.lines(answered);
    lines.push(...written);
    for (const [, , other] of written) if (other !== undefined) others[other] += 1;
    seen.push([answered, written.at(-1)![0]]);
    if (form.others.length === 0 || id % RARE !== RARE - 1) continue;
    const [kind, text] = form.others[Math.floor(id / RARE) % form.others.length]!;
    others[kind] += 1;
    lines.push([arrived, text(arrived)]);
  }
  const { nameOf = ({ name }) => name } = form;
  const clients = namedClients(requests, nameOf);
  const named = seen.filter(([{ client }]) => nameOf(client) !== '');
  others.unidentified += seen.length - named.length;
  return {
    text: `${lines
      .toSorted(([one], [other]) => one - other)
      .map(([, text]) => text)
      .join('\n')}\n`,
    requests: named
      .toSorted(([, one], [, other]) => one - other)
      .map(([request]) => ({ ...request, at: form.timeOf(request), client: clients.get(nameOf(request.client))! }))
      .toSorted((one, other) => one.at - other.at),
    clients: [...clients.values()],
    others,
  };
}

/** Clients by the names that a log has for them. Of several with one name, the busiest says what they are. */
function namedClients(
  requests: readonly SiteRequest[],
  nameOf: (client: TrueClient) => string,
): ReadonlyMap<string, TrueClient> {
  const counts = new Map<TrueClient, number>();
  for (const { client } of requests) counts.set(client, (counts.get(client) ?? 0) + 1);
  const named = new Map<string, TrueClient>();
  for (const [client] of [...counts].toSorted(([, one], [, other]) => other - one)) {
    const name = nameOf(client);
    if (name !== '' && !named.has(name)) named.set(name, { name, kind: client.kind });
  }
  return named;
}
