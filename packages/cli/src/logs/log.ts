import { stat } from 'node:fs/promises';
import { usage } from '../failure.js';
import { detectFormat, lackOfJson, namesOthers } from './formats/formats.js';
import { blocksOf, LINE_FEED } from './log-blocks.js';
import type { LoggedRequest } from './logged-request.js';
import { SKIPPED, type ExtraFields, type LogFormat, type LogReader } from './log-reader.js';

/** Lines by which a format is detected. */
const SAMPLE = 50;
const CARRIAGE_RETURN = 13;

export interface LogOptions {
  /** @default detected by the first lines of each file */
  readonly format: LogFormat | undefined;
  readonly extra: ExtraFields;
}

/** The requests of several files, in any order. */
export class Log {
  lines = 0;
  unreadable = 0;
  /** The first line that could not be read: `access.log:17`. */
  firstUnreadable: string | undefined;
  /** What the first lines lack that a request needs. Undefined where nothing is known to be missing. */
  lack: string | undefined;
  /** Most first lines of a file name other clients in `X-Forwarded-For`, which are not counted. */
  namesOthers = false;
  /** The times of a file are whole seconds. */
  isWholeSeconds = false;
  readonly #formats = new Set<string>();
  readonly #options: LogOptions;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  /** Names of the formats of all files. */
  get formats(): readonly string[] {
    return [...this.#formats];
  }

  /**
   * Reads files, one after the other, and yields after each block of lines.
   *
   * @param add receives each request, whose texts can be read until it returns
   * @throws Failure for a file that cannot be read, or is no log
   */
  async *read(paths: readonly string[], add: (request: LoggedRequest) => void): AsyncGenerator<void> {
    // The last file may be missing, and the first one be long.
    for (const path of paths) {
      if (path === '-' || !(await readable(path, stat(path))).isDirectory()) continue;
      throw usage(`${path} is a folder: name files, such as ${path}/access.log`);
    }
    for (const path of paths) yield* this.#readFile(path, add);
  }

  async *#readFile(path: string, add: (request: LoggedRequest) => void): AsyncGenerator<void> {
    const blocks = blocksOf(path);
    let reader: LogReader | undefined;
    let line = 0;
    let requests = 0;
    const readBlock = (read: LogReader, block: Buffer) => {
      for (let start = 0; start < block.length;) {
        const feed = block.indexOf(LINE_FEED, start);
        const end = feed === -1 ? block.length : feed;
        const request = readLine(read, block, start, end);
        start = end + 1;
        line += 1;
        if (request === SKIPPED) continue;
        this.lines += 1;
        if (request === undefined) {
          this.unreadable += 1;
          this.firstUnreadable ??= `${nameOf(path)}:${line}`;
          continue;
        }
        requests += 1;
        add(request);
      }
    };
    try {
      for (;;) {
        const { value: block, done } = await readable(path, blocks.next());
        if (done === true) break;
        reader ??= this.#readerOf(path, block);
        if (reader) readBlock(reader, block);
        yield;
      }
    } finally {
      await blocks.return(undefined);
    }
    this.isWholeSeconds ||= requests > 0 && reader!.isWholeSeconds();
  }

  /** Undefined for blank lines. @throws Failure for lines of no format */
  #readerOf(path: string, block: Buffer): LogReader | undefined {
    const { extra, format } = this.#options;
    const sample = sampleOf(block);
    const found = format ?? detectFormat(sample, extra.key);
    const lack = found?.isJson === false ? undefined : (problemOf(block) ?? lackOfJson(sample, extra.key));
    this.lack ??= lack;
    if (found) {
      this.#formats.add(found.name);
      this.namesOthers ||= extra.addressOf === undefined && namesOthers(found, sample);
      return found.reader(extra);
    }
    if (sample.length === 0) return undefined;
    const problem = lack ?? 'no known format: pass --format, such as the log_format of nginx';
    throw usage(`${nameOf(path)}: ${problem}`);
  }
}

/** @throws Failure */
async function readable<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw usage(`${nameOf(path)}: ${(error as Error).message}`);
  }
}

/** What files begin with that are no lines of a log, and what to do with them. Bytes that are no UTF-8 are U+FFFD. */
const OTHER_FILES: readonly (readonly [start: RegExp, hand: string])[] = [
  [/^\uFFFD\uFFFD.?\0/s, 'UTF-16: convert it, as iconv -f utf-16 -t utf-8 does'],
  // bzip2, zip, xz and zstd.
  [/^(BZh\d1AY|PK\p{Cc}|\uFFFD7zXZ|\(\uFFFD\/\uFFFD)/u, 'compressed, but not by gzip: unpack it, and pass - for stdin'],
  [/^\s*\[\s*(\{|$)/, "one JSON document: write an object a line, as jq -c '.[]' does"],
  [/^\{"log":\s*"/, 'a file of Docker: pass what docker logs prints'],
];

function problemOf(block: Buffer): string | undefined {
  const start = block.toString('utf8', 0, 64);
  return OTHER_FILES.find(([begins]) => begins.test(start))?.[1];
}

function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

/** The first lines that are not blank. */
function sampleOf(block: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < block.length && lines.length < SAMPLE;) {
    const feed = block.indexOf(LINE_FEED, start);
    const end = feed === -1 ? block.length : feed;
    const line = block.subarray(start, end);
    if (line.toString().trim() !== '') lines.push(line);
    start = end + 1;
  }
  return lines;
}

function readLine(read: LogReader, block: Buffer, start: number, end: number): ReturnType<LogReader> {
  const last = block[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  return last <= start ? SKIPPED : read(block, start, last);
}
