// logs/ reads access logs: it finds lines, and the format of a file; formats/ reads a line. Files or stdin enter, and
// logged requests leave. It imports lines/, formats/ and failure.
import { stat } from 'node:fs/promises';
import { usage } from '../failure/failure.js';
import { namesOthers } from './formats/detect-format.js';
import { blocksOf, LINE_FEED, lineEnd } from './log-blocks.js';
import { problemOf } from './log-problem.js';
import { nameOf, shownText, type OtherLine } from './other-line.js';
import { OTHER_EVENT, SKIPPED, type ExtraFields, type LogFormat, type LogReader } from './lines/log-reader.js';
import { findFormat, sampleOf, type FoundFormat } from './log-sample.js';
import type { LoggedRequest } from './lines/logged-request.js';
import type { Span } from './lines/span.js';

const HASH = 35;

export interface LogOptions {
  /** @default detected by the first lines of each file */
  readonly format: LogFormat | undefined;
  readonly extra: ExtraFields;
}

/** The requests of several files, in any order. */
export class Log {
  /** Those of requests, and those that could not be read. */
  lines = 0;
  unreadable = 0;
  firstUnreadable: OtherLine | undefined;
  /** Lines that can be read and are no requests, such as other events of an application. */
  otherEvents = 0;
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
    let file: OpenFile | undefined;
    let searched: Searched = { blocks: 0, line: 0, problem: undefined };
    try {
      for (;;) {
        const { value: block, done } = await readable(path, blocks.next());
        if (done === true) break;
        file ??= this.#open(path, block, searched.line);
        if (file) this.#readBlock(file, block, add);
        else searched = this.#search(path, block, searched);
        yield;
      }
      if (file === undefined && searched.blocks > 0 && this.#options.format === undefined)
        throw usage(`${nameOf(path)}: ${searched.problem ?? UNKNOWN}`);
      for (const request of file?.read.rest() ?? []) this.#add(file!, request, add);
    } finally {
      await blocks.return(undefined);
    }
    this.isWholeSeconds ||= file !== undefined && file.requests > 0 && file.read.isWholeSeconds();
  }

  #readBlock(file: OpenFile, block: Buffer, add: (request: LoggedRequest) => void): void {
    for (let start = 0; start < block.length;) {
      const feed = block.indexOf(LINE_FEED, start);
      const end = feed === -1 ? block.length : feed;
      const request = readLine(file, block, start, end);
      file.line += 1;
      if (request === undefined) this.#addUnreadable(file, block.subarray(start, end));
      else if (request === OTHER_EVENT) this.otherEvents += 1;
      else if (request !== SKIPPED) this.#add(file, request, add);
      start = end + 1;
    }
  }

  #add(file: OpenFile, request: LoggedRequest, add: (request: LoggedRequest) => void): void {
    this.lines += 1;
    file.requests += 1;
    add(request);
  }

  /**
   * Counts the lines of a block without a request: an application may say much before it has one.
   *
   * @throws Failure for the last block that is searched
   */
  #search(path: string, block: Buffer, { blocks, line, problem }: Searched): Searched {
    const { extra, format } = this.#options;
    const sample = sampleOf(block);
    if (isHeader(sample)) return { blocks, line: line + linesIn(block), problem };
    const known = problem ?? problemOf(sample, extra.key);
    this.lack ??= known;
    if (format === undefined && blocks === MOST_SEARCHED) throw usage(`${nameOf(path)}: ${known ?? UNKNOWN}`);
    let count = line;
    for (let start = 0; start < block.length;) {
      const feed = block.indexOf(LINE_FEED, start);
      const end = feed === -1 ? block.length : feed;
      count += 1;
      if (end > start) this.#addUnreadable({ path, line: count }, block.subarray(start, end));
      start = end + 1;
    }
    return { blocks: blocks + 1, line: count, problem: known };
  }

  #addUnreadable({ path, line }: { readonly path: string; readonly line: number }, bytes: Buffer): void {
    this.lines += 1;
    this.unreadable += 1;
    this.firstUnreadable ??= { at: `${nameOf(path)}:${line}`, text: shownText(bytes) };
  }

  /** Undefined where no format reads any line of a block. @param line the lines before the block */
  #open(path: string, block: Buffer, line: number): OpenFile | undefined {
    const { extra, format } = this.#options;
    const sample = sampleOf(block);
    if (format) this.#formats.add(format.name);
    const found = isHeader(sample) ? undefined : findFormat(sample, { key: extra.key, formats: format && [format] });
    if (found === undefined) return undefined;
    const { open, lines } = found;
    this.#formats.add(found.format.name);
    this.namesOthers ||= extra.addressOf === undefined && namesOthers(found.format, lines);
    const read = found.format.reader(extra, lines);
    if (extra.addressOf !== undefined) checkForwarded(found.format.reader(extra, lines), lines);
    return { path, read, open, span: { bytes: block, start: 0, end: 0 }, line, requests: 0 };
  }
}

const UNKNOWN = 'no known format: pass --format, such as the log_format of nginx';
/** Blocks of a quarter of a megabyte, until one has a request. */
const MOST_SEARCHED = 16;

/** What of a file was searched for a first request. */
interface Searched {
  readonly blocks: number;
  readonly line: number;
  /** What is known to be wrong. */
  readonly problem: string | undefined;
}

/** True for blank lines, and for a file of W3C with nothing but its header. */
function isHeader(sample: readonly Buffer[]): boolean {
  return sample.every((line) => line[0] === HASH) && problemOf(sample, undefined) === undefined;
}

/** A file that is being read. */
interface OpenFile extends Pick<FoundFormat, 'open'> {
  readonly path: string;
  readonly read: LogReader;
  /** Of the line that is read, for formats with something around each line. */
  readonly span: Span;
  line: number;
  requests: number;
}

/** @throws Failure for `--proxies` of a log that names nobody behind them */
function checkForwarded(read: LogReader, lines: readonly Buffer[]): void {
  for (const line of lines) read(line);
  if (!read.hasForwarded()) throw usage('--proxies: this log has no X-Forwarded-For: log $http_x_forwarded_for');
}

/** @throws Failure */
async function readable<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw usage(`${nameOf(path)}: ${(error as Error).message}`);
  }
}

function readLine({ read, open, span }: OpenFile, block: Buffer, start: number, end: number): ReturnType<LogReader> {
  const last = lineEnd(block, end);
  if (last <= start) return SKIPPED;
  if (open === undefined) return read(block, start, last);
  [span.bytes, span.start, span.end] = [block, start, last];
  open(span);
  return read(span.bytes, span.start, span.end);
}

/** How many lines end in a block. */
function linesIn(block: Buffer): number {
  let count = 0;
  for (let at = block.indexOf(LINE_FEED); at !== -1; at = block.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
