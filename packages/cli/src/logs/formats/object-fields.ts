import type { ExtraFields } from '../lines/log-reader.js';
import { finder, type Finder, type Paths } from './json-paths.js';

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
  /** Of a request whose client is in one line and whose status is in another. */
  readonly joinedBy?: Paths;
  readonly agent: Paths;
}

/** Finds the fields of a line. */
export interface Finders extends Readonly<
  Record<'time' | 'taken' | 'ip' | 'forwarded' | 'user' | 'method' | 'url', Finder>
> {
  readonly request: Finder;
  readonly status: Finder;
  readonly response: Finder;
  readonly id: Finder;
  readonly joinedBy: Finder;
  readonly agent: Finder;
  readonly key: Finder;
  readonly cost: Finder;
}

/** @param extra what a reader finds beside the usual */
export function findersOf(fields: ObjectFields, extra: ExtraFields): Finders {
  const { time, taken, ip, forwarded, user, method, url, request = [], status, response = [], id = [], agent } = fields;
  const { joinedBy = [] } = fields;
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
    joinedBy: finder(joinedBy),
    agent: finder(agent),
    key: finder(pathOfField(extra.key)),
    cost: finder(pathOfField(extra.cost)),
  };
}

/** A path of `--key` or `--cost`. */
export function pathOfField(path: string | undefined): Paths {
  return path === undefined ? [] : [path];
}
