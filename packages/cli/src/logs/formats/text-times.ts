import { usage } from '../../failure.js';
import { anyTime, dayTime, epochTime, isoTime, zonelessTime } from '../log-time.js';
import type { TextLine } from './text-line.js';

export interface TimeColumns {
  readonly columns: readonly number[];
  /** Milliseconds since 1970. NaN for a line without a time. */
  readonly timeOf: (line: TextLine) => number;
  /** Whether times are finer than a second, or the column that tells. */
  readonly spelling: 'fine' | 'seconds' | number;
}

/** Where the time of a request is: when it arrived, if the log has that. @throws Failure for a format without a time */
export function timeColumns(names: readonly string[]): TimeColumns {
  const at = (name: string) => names.indexOf(name);
  const [msec, taken] = [at('msec'), at('request_time')];
  if (msec !== -1) {
    const endOf = (line: TextLine) => epochTime(secondsOf(line.text(msec)));
    // To the millisecond, as both are logged.
    const startOf = (line: TextLine) => Math.round(endOf(line) - secondsOf(line.text(taken)) * 1e3);
    return taken === -1
      ? { columns: [msec], timeOf: endOf, spelling: 'fine' }
      : { columns: [msec, taken], timeOf: startOf, spelling: 'fine' };
  }
  const parsers = {
    request_creation_time: isoTime,
    accept_date: zonelessTime,
    time_iso8601: isoTime,
    time_local: dayTime,
    timestamp: anyTime,
  };
  for (const [name, parse] of Object.entries(parsers)) {
    const index = at(name);
    if (index === -1) continue;
    return {
      columns: [index],
      timeOf: rememberLast(index, parse),
      spelling: name === 'time_local' ? 'seconds' : index,
    };
  }
  const [date, clock] = [at('date'), at('time')];
  if (date === -1 || clock === -1)
    throw usage('--format: there is no time: log $msec and $request_time, or $time_local');
  return {
    columns: [date, clock],
    timeOf: (line) => isoTime(`${line.text(date)}T${line.text(clock)}Z`),
    spelling: clock,
  };
}

/** Remembers the last time, because most lines of a log have the time of the line before. */
function rememberLast(column: number, parse: (text: string) => number): (line: TextLine) => number {
  const last = Buffer.alloc(40);
  let size = -1;
  let time = Number.NaN;
  return (line) => {
    const { bytes } = line;
    const [start, length] = [line.starts[column]!, line.ends[column]! - line.starts[column]!];
    let same = 0;
    if (length === size) while (same < length && bytes[start + same] === last[same]) same += 1;
    if (same === length && length > 0) return time;
    time = parse(line.text(column));
    size = length > last.length ? -1 : length;
    if (size !== -1) bytes.copy(last, 0, start, start + length);
    return time;
  };
}

/** NaN for a string that is no number, and for an empty one. */
function secondsOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
