import { usage } from '../../failure/failure.js';
import { anyTime, epochTime, isFineTime, isoTime, zonelessTime } from '../lines/log-time.js';
import type { Span } from '../lines/span.js';
import type { TextLine } from './text-line.js';

export interface TimeColumns {
  readonly columns: readonly number[];
  /** Milliseconds since 1970. NaN for a line without a time. */
  readonly timeOf: (line: TextLine) => number;
  /** A time that was read is finer than a second. */
  readonly isFine: () => boolean;
}

/** Where the time of a request is: when it arrived, if the log has that. @throws Failure for a format without a time */
export function timeColumns(names: readonly string[]): TimeColumns {
  const at = (name: string) => names.indexOf(name);
  const [msec, taken] = [at('msec'), at('request_time')];
  if (msec !== -1) return endColumns(msec, taken);
  const parsers = {
    request_creation_time: isoTime,
    accept_date: zonelessTime,
    time_iso8601: isoTime,
    // Some write their time as ISO 8601 into the columns of combined.
    time_local: anyTime,
    timestamp: anyTime,
  };
  const [name, parse] = Object.entries(parsers).find(([each]) => at(each) !== -1) ?? [];
  const [date, clock] = [at('date'), at('time')];
  if (name !== undefined) {
    const whole = remembered(at(name), parse!);
    return at('time_milliseconds') === -1 ? whole : withMilliseconds(whole, at('time_milliseconds'));
  }
  if (date === -1 || clock === -1)
    throw usage('--format: there is no time: log $msec and $request_time, or $time_local');
  return {
    columns: [date, clock],
    timeOf: (line) => isoTime(`${line.text(date)}T${line.text(clock)}Z`),
    // The only formats with such columns are those whose header says so, and their times are whole seconds.
    isFine: () => false,
  };
}

/** The end of a response, less what it took where that is logged. Both are in seconds, to the millisecond. */
function endColumns(msec: number, taken: number): TimeColumns {
  const endOf = (line: TextLine) => epochTime(secondsOf(line.text(msec)));
  const startOf = (line: TextLine) => Math.round(endOf(line) - secondsOf(line.text(taken)) * 1e3);
  return {
    columns: taken === -1 ? [msec] : [msec, taken],
    timeOf: taken === -1 ? endOf : startOf,
    isFine: () => true,
  };
}

function withMilliseconds({ columns, timeOf }: TimeColumns, milliseconds: number): TimeColumns {
  return {
    columns: [...columns, milliseconds],
    timeOf: (line) => timeOf(line) + secondsOf(line.text(milliseconds)),
    isFine: () => true,
  };
}

/** Of `10/Oct/2026:13:55:36 -0700`. */
const DAY_TIME = 26;
const CLOCK = 12;
const ZONE = 20;
const SLASH = 47;

/**
 * Remembers the last time, because most lines of a log have the time of the line before, and almost all others one of the
 * same day.
 */
function remembered(column: number, parse: (text: string) => number): TimeColumns {
  const last = Buffer.alloc(40);
  let size = -1;
  let time = Number.NaN;
  let isFine = false;
  const timeOf = (line: TextLine) => {
    const { bytes } = line;
    const [start, length] = [line.starts[column]!, line.ends[column]! - line.starts[column]!];
    let same = 0;
    if (length === size) while (same < length && bytes[start + same] === last[same]) same += 1;
    if (same === length && length > 0) return time;
    const passed =
      size === DAY_TIME && same >= CLOCK && last[2] === SLASH ? passedSince(line.span(column)) : Number.NaN;
    if (Number.isNaN(passed)) {
      const text = line.text(column);
      time = parse(text);
      isFine ||= isFineTime(text);
    } else time += passed;
    size = length > last.length ? -1 : length;
    if (size !== -1) bytes.copy(last, 0, start, start + length);
    return time;
  };
  /** Milliseconds since the last time, of one whose clock alone differs. NaN for another one. */
  const passedSince = ({ bytes, start }: Span): number => {
    for (let at = ZONE; at < DAY_TIME; at += 1) if (bytes[start + at] !== last[at]) return Number.NaN;
    return clockIn(bytes, start + CLOCK) - clockIn(last, CLOCK);
  };
  return { columns: [column], timeOf, isFine: () => isFine };
}

const COLON = 58;

/** Milliseconds of `13:55:36`. NaN for anything else. */
function clockIn(bytes: Buffer, at: number): number {
  if (bytes[at + 2] !== COLON || bytes[at + 5] !== COLON) return Number.NaN;
  return ((twoDigits(bytes, at) * 60 + twoDigits(bytes, at + 3)) * 60 + twoDigits(bytes, at + 6)) * 1e3;
}

const ZERO = 48;

function twoDigits(bytes: Buffer, at: number): number {
  const [tens, ones] = [bytes[at]! - ZERO, bytes[at + 1]! - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** NaN for a string that is no number, and for an empty one. */
function secondsOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
