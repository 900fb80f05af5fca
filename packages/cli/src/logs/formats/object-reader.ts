import type { LoggedRequest } from '../logged-request.js';
import { OTHER_EVENT, type ExtraFields, type ReadLine } from '../log-reader.js';
import { anyTime, isFineTime } from '../log-time.js';
import { finder, headerOf, numberOf, textOf, type Finder, type Paths } from './json-paths.js';
import { readAddress, withoutAnyPort } from './logged-address.js';
import { pathOf, requestOf } from './request-line.js';

/** The fields of a format whose lines are objects. */
export interface ObjectFields {
  readonly time: Paths;
  /** How long the response took. `unit` is that of a number. Absent where `time` is the arrival. */
  readonly taken?: { readonly paths: Paths; readonly milliseconds: number };
  readonly ip: Paths;
  /** Of `X-Forwarded-For`. */
  readonly forwarded: Paths;
  readonly user: Paths;
  readonly method: Paths;
  readonly url: Paths;
  /** A request line, for lines without a method and a URL of their own. */
  readonly request?: Paths;
  readonly status: Paths;
  /** Other signs that a line is about a response. */
  readonly response?: Paths;
  /** Of a request that several lines may describe: the first of them counts. */
  readonly id?: Paths;
  readonly agent: Paths;
}

/** Reads the object of a line. */
export interface ObjectReader {
  readonly read: (line: object) => ReturnType<ReadLine>;
  readonly isWholeSeconds: () => boolean;
}

/** A reader of the objects of a format. @param sample some objects of the file */
export function objectReader(fields: ObjectFields, extra: ExtraFields, sample: readonly object[]): ObjectReader {
  const { addressOf } = extra;
  const find = findersOf(fields, extra);
  const isAnswer = (line: object) => find.status(line) !== undefined || find.response(line) !== undefined;
  const isOfClient = (line: object) => find.ip(line) !== undefined || textOf(find.key(line)) !== '';
  // Loggers bind the request to each line that is written while it runs. Where some lines have both a client and a
  // status, the others are about something else; a log without any status has a line for a request.
  const needsAnswer = sample.some((line) => isOfClient(line) && isAnswer(line));
  const isNew = fields.id === undefined ? () => true : recentIds(find.id);
  let isFine = false;
  const read = (line: object): ReturnType<ReadLine> => {
    const identity = textOf(find.key(line));
    const ip = find.ip(line);
    // A client that `--key` names needs no address.
    if ((ip === undefined && identity === '') || (needsAnswer && !isAnswer(line))) return OTHER_EVENT;
    const written = find.time(line);
    const end = anyTime(written);
    const address = ip === undefined || ip === '' ? NOBODY : typeof ip === 'string' ? readAddress(ip) : undefined;
    if (Number.isNaN(end) || address === undefined) return undefined;
    if (!isNew(line)) return OTHER_EVENT;
    const peer = withoutAnyPort(address.peer);
    const header = addressOf === undefined ? '' : headerOf(find.forwarded(line)) || address.forwarded;
    // Of an end in whole seconds nothing can be subtracted: it would look more precise than it is.
    isFine ||= isFineTime(written);
    const passed = fields.taken === undefined || !isFine ? 0 : numberOf(find.taken(line)) * fields.taken.milliseconds;
    return new ObjectRequest({
      line,
      find,
      // To the microsecond, as stores count.
      time: Number.isFinite(passed) && passed > 0 ? Math.round((end - passed) * 1e3) / 1e3 : end,
      ip: (addressOf === undefined ? peer : addressOf(peer, header)!).slice(0, MAX_ADDRESS_TEXT),
      key: identity,
    });
  };
  return { read, isWholeSeconds: () => !isFine };
}

const NOBODY = { peer: '', forwarded: '' };
const MAX_ADDRESS_TEXT = 64;

interface Finders extends Readonly<Record<'time' | 'taken' | 'ip' | 'forwarded' | 'user' | 'method' | 'url', Finder>> {
  readonly request: Finder;
  readonly status: Finder;
  readonly response: Finder;
  readonly id: Finder;
  readonly agent: Finder;
  readonly key: Finder;
  readonly cost: Finder;
}

function findersOf(fields: ObjectFields, extra: ExtraFields): Finders {
  const { time, taken, ip, forwarded, user, method, url, request = [], status, response = [], id = [], agent } = fields;
  return {
    time: finder(time),
    taken: finder(taken?.paths ?? []),
    ip: finder(ip),
    forwarded: finder(forwarded),
    user: finder(user),
    method: finder(method),
    url: finder(url),
    request: finder(request),
    status: finder(status),
    response: finder([...(taken?.paths ?? []), ...response]),
    id: finder(id),
    agent: finder(agent),
    key: finder(pathOfField(extra.key)),
    cost: finder(pathOfField(extra.cost)),
  };
}

/** A path of `--key` or `--cost`. */
export function pathOfField(path: string | undefined): Paths {
  return path === undefined ? [] : [path];
}

/** Lines of one request stand near each other. */
const MAX_IDS = 16_384;

/** Whether a line has an id that no line before it had. */
function recentIds(idOf: Finder): (line: object) => boolean {
  let [recent, older] = [new Set<string>(), new Set<string>()];
  return (line) => {
    const id = textOf(idOf(line));
    if (id === '') return true;
    if (recent.has(id) || older.has(id)) return false;
    if (recent.size === MAX_IDS) [recent, older] = [new Set(), recent];
    recent.add(id);
    return true;
  };
}

interface ObjectRequestSetup {
  readonly line: object;
  readonly find: Finders;
  readonly time: number;
  readonly ip: string;
  readonly key: string;
}

/** Its texts are looked for when they are read. */
class ObjectRequest implements LoggedRequest {
  readonly time: number;
  readonly ip: string;
  readonly key: string;
  readonly #line: object;
  readonly #find: Finders;

  constructor({ line, find, time, ip, key }: ObjectRequestSetup) {
    this.time = time;
    this.ip = ip;
    this.key = key;
    this.#line = line;
    this.#find = find;
  }

  get user(): string {
    return textOf(this.#find.user(this.#line));
  }

  get method(): string {
    return textOf(this.#find.method(this.#line)) || requestOf(this.#requestLine())[0];
  }

  get url(): string {
    return textOf(this.#find.url(this.#line)) || requestOf(this.#requestLine())[1];
  }

  get path(): string {
    return pathOf(this.url);
  }

  get status(): number {
    const code = numberOf(this.#find.status(this.#line));
    // Vercel logs -1 for a function without a response.
    return Number.isInteger(code) && code > 0 && code < 1_000 ? code : 0;
  }

  get agent(): string {
    return textOf(this.#find.agent(this.#line));
  }

  get cost(): string {
    return textOf(this.#find.cost(this.#line));
  }

  #requestLine(): string {
    return textOf(this.#find.request(this.#line));
  }
}
