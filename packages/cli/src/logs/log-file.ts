import { createReadStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { usage } from '../failure.js';
import { detectFormat, lackOfJson } from './formats/formats.js';
import type { LoggedRequest } from './logged-request.js';
import { SKIPPED, type ExtraFields, type LogFormat, type LogReader } from './log-reader.js';

const CHUNK = 2 ** 16;
/** A longer line is cut. */
const MAX_LINE = 2 ** 20;
/** Lines by which a format is detected. */
const SAMPLE = 50;

/** What was read of all files. */
export interface LogCounts {
  lines: number;
  unreadable: number;
  /** The first line that could not be read: `access.log:17`. */
  firstUnreadable: string | undefined;
  /** Lines that came more than a minute after a later one. */
  late: number;
  /** What the first lines lack that a request needs. Undefined where nothing is known to be missing. */
  lack: string | undefined;
}

export interface LogFileOptions {
  /** @default detected by the first lines */
  readonly format: LogFormat | undefined;
  readonly extra: ExtraFields;
  readonly counts: LogCounts;
}

/** One file of a log, or stdin. */
export class LogFile {
  readonly path: string;
  /** The latest time that was read. Milliseconds since 1970. */
  latest = -Infinity;
  format: LogFormat | undefined;
  /** The first times are written in whole seconds. */
  isWholeSeconds = false;
  readonly #options: LogFileOptions;
  readonly #input: Readable;
  readonly #chunks: AsyncIterator<string[]>;
  #read: LogReader | undefined;
  #first: readonly LoggedRequest[] | undefined;
  #line = 0;

  private constructor(path: string, options: LogFileOptions) {
    this.path = path;
    this.#options = options;
    this.#input = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK });
    this.#chunks = linesOf(this.#input);
  }

  /** Opens a file and reads its beginning. @throws Failure for a file that cannot be read, or is no log */
  static async open(path: string, options: LogFileOptions): Promise<LogFile> {
    const file = new LogFile(path, options);
    let lines = await file.#nextLines();
    while (lines.length > 0 && lines.every((line) => line.trim() === '')) lines = await file.#nextLines();
    const sample = lines.filter((line) => line.trim() !== '').slice(0, SAMPLE);
    const { counts, extra } = options;
    file.format = options.format ?? detectFormat(sample, extra.key);
    const lack = file.format?.isJson === false ? undefined : lackOfJson(sample, extra.key);
    counts.lack ??= lack;
    if (file.format === undefined) {
      const reason = lack ?? 'no known format: pass --format, such as the log_format of nginx';
      if (sample.length > 0) throw usage(`${file.#name}: ${reason}`);
      return file;
    }
    file.#read = file.format.reader(extra);
    file.#first = file.#parse(lines);
    file.isWholeSeconds = file.#first.length > 0 && file.#read.isWholeSeconds();
    return file;
  }

  /** The next requests, in the order of the file. Undefined at its end. */
  async next(): Promise<readonly LoggedRequest[] | undefined> {
    if (this.#first !== undefined) {
      const first = this.#first;
      this.#first = undefined;
      return first;
    }
    const lines = await this.#nextLines();
    return lines.length === 0 ? undefined : this.#parse(lines);
  }

  close(): void {
    this.#input.destroy();
  }

  get #name(): string {
    return this.path === '-' ? 'stdin' : this.path;
  }

  async #nextLines(): Promise<string[]> {
    try {
      const { value, done } = await this.#chunks.next();
      return done === true ? [] : value;
    } catch (error) {
      throw usage(`${this.#name}: ${(error as Error).message}`);
    }
  }

  #parse(lines: readonly string[]): readonly LoggedRequest[] {
    const { counts } = this.#options;
    const requests: LoggedRequest[] = [];
    for (const each of lines) {
      this.#line += 1;
      const line = each.charCodeAt(each.length - 1) === CARRIAGE_RETURN ? each.slice(0, -1) : each;
      if (line === '') continue;
      const request = this.#read!(line);
      if (request === SKIPPED) continue;
      counts.lines += 1;
      if (request === undefined) {
        counts.unreadable += 1;
        counts.firstUnreadable ??= `${this.#name}:${this.#line}`;
        continue;
      }
      if (request.time > this.latest) this.latest = request.time;
      requests.push(request);
    }
    return requests;
  }
}

const CARRIAGE_RETURN = 13;
const GZIP = [0x1f, 0x8b] as const;

/** The lines of an input, a chunk at a time. It unpacks gzip, also of several members. */
async function* linesOf(input: Readable): AsyncGenerator<string[]> {
  let rest = '';
  let isCut = false;
  for await (const chunk of await unpacked(input)) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop()!;
    // The end of a line whose beginning was taken for the line.
    if (isCut && lines.length > 0) {
      lines.shift();
      isCut = false;
    }
    if (isCut) rest = '';
    else if (rest.length > MAX_LINE) {
      lines.push(rest.slice(0, MAX_LINE));
      rest = '';
      isCut = true;
    }
    if (lines.length > 0) yield lines;
  }
  if (rest !== '' && !isCut) yield [rest];
}

async function unpacked(input: Readable): Promise<Readable> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { value: first, done } = await chunks.next();
  const plain = new PassThrough({ highWaterMark: CHUNK });
  if (done === true) return plain.end();
  const isGzip = first[0] === GZIP[0] && first[1] === GZIP[1];
  const output = isGzip ? plain.pipe(createGunzip({ chunkSize: CHUNK })) : plain;
  void feed(plain, first, chunks).catch((error: Error) => output.destroy(error));
  return output.setEncoding('utf8');
}

/** Writes the first chunk, and then all others. */
async function feed(output: PassThrough, first: Buffer, chunks: AsyncIterator<Buffer>): Promise<void> {
  const write = async (chunk: Buffer) => {
    if (!output.write(chunk)) await new Promise((resolve) => output.once('drain', resolve));
  };
  await write(first);
  for (let each = await chunks.next(); each.done !== true; each = await chunks.next()) await write(each.value);
  output.end();
}
