import type { LoggedRequest } from './logged-request.js';
import { LogFile, type LogFileOptions } from './log-file.js';

/** How late a line may be to be put in order. Servers write a request when its response ends. In milliseconds. */
export const ORDER_WINDOW = 60_000;

/** The requests of one second, in order. */
export type Second = readonly LoggedRequest[];

interface Source {
  readonly path: string;
  /** Of a file that is not open, its first time. */
  latest: number;
  file: LogFile | undefined;
}

export interface OrderedLog {
  /** Names of the formats of all files. */
  readonly formats: readonly string[];
  /** The times of a file are whole seconds. */
  readonly isWholeSeconds: boolean;
  /** All requests, a second at a time. */
  readonly seconds: AsyncGenerator<readonly Second[]>;
}

/**
 * Reads all files at the same time, in the order of what they contain: those of several servers overlap. Files that begin
 * later are opened later.
 *
 * @throws Failure for a file that cannot be read
 */
export async function readInOrder(paths: readonly string[], options: LogFileOptions): Promise<OrderedLog> {
  const sources: Source[] = [];
  const formats = new Set<string>();
  let isWholeSeconds = false;
  const counts = { lines: 0, unreadable: 0, firstUnreadable: undefined, late: 0, lack: undefined };
  const peeked = { ...options, counts };
  for (const path of paths) {
    // A single file needs no second look.
    const isKept = path === '-' || paths.length === 1;
    const file = await LogFile.open(path, isKept ? options : peeked);
    if (file.format !== undefined) formats.add(file.format.name);
    isWholeSeconds ||= file.isWholeSeconds;
    const [first] = isKept ? [] : ((await file.next()) ?? []);
    if (!isKept) file.close();
    sources.push({ path, latest: first?.time ?? -Infinity, file: isKept ? file : undefined });
  }
  return { formats: [...formats], isWholeSeconds, seconds: merge(sources, options) };
}

async function* merge(sources: Source[], options: LogFileOptions): AsyncGenerator<readonly Second[]> {
  const buffer = new OrderBuffer();
  for (;;) {
    const source = earliest(sources);
    if (source === undefined) break;
    source.file ??= await LogFile.open(source.path, options);
    const requests = await source.file.next();
    if (requests === undefined) {
      source.file.close();
      sources.splice(sources.indexOf(source), 1);
      continue;
    }
    options.counts.late += buffer.add(requests);
    source.latest = Math.max(source.latest, source.file.latest);
    yield buffer.take(earliest(sources)!.latest - ORDER_WINDOW);
  }
  yield buffer.take(Infinity);
}

/** The source that is furthest behind. */
function earliest(sources: readonly Source[]): Source | undefined {
  let first: Source | undefined;
  for (const source of sources) if (first === undefined || source.latest < first.latest) first = source;
  return first;
}

interface OpenSecond {
  /** Since 1970. */
  readonly second: number;
  readonly requests: LoggedRequest[];
}

/**
 * Requests by their second, until none can come before them. In an array, because a Map that grows and shrinks makes V8
 * promote all that it holds.
 */
class OrderBuffer {
  /** Ascending. */
  readonly #open: OpenSecond[] = [];
  #taken = -Infinity;

  /** Returns how many come too late. */
  add(requests: readonly LoggedRequest[]): number {
    let late = 0;
    let current: OpenSecond | undefined;
    for (const request of requests) {
      const second = Math.floor(request.time / 1e3);
      if (second < this.#taken) {
        late += 1;
        continue;
      }
      if (current?.second !== second) current = this.#find(second);
      current.requests.push(request);
    }
    return late;
  }

  /** Removes and returns the seconds that end at `until` or before. @param until milliseconds */
  take(until: number): readonly Second[] {
    const end = Math.floor(until / 1e3);
    if (end <= this.#taken) return [];
    this.#taken = end;
    const first = this.#open.findIndex(({ second }) => second >= end);
    return this.#open.splice(0, first === -1 ? this.#open.length : first).map((each) => sorted(each.requests));
  }

  /** Most requests belong to the last seconds. */
  #find(second: number): OpenSecond {
    let place = this.#open.length;
    while (place > 0 && this.#open[place - 1]!.second > second) place -= 1;
    const found = this.#open[place - 1];
    if (found?.second === second) return found;
    const added = { second, requests: [] };
    this.#open.splice(place, 0, added);
    return added;
  }
}

/** In order of time. Requests of one time stay in the order of the log. */
function sorted(requests: LoggedRequest[]): Second {
  for (let index = 1; index < requests.length; index += 1) {
    if (requests[index]!.time < requests[index - 1]!.time)
      return requests.toSorted((one, other) => one.time - other.time);
  }
  return requests;
}
