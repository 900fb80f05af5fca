// lines/ has what a line of a log gives: the logged request, its time, and its texts as bytes that are not copied. Bytes
// of a line enter. It imports nothing of the program.
import type { ClientAddress } from '@sluice/http';
import type { LoggedRequest } from './logged-request.js';

/** A line that is part of the format and no request, such as a header. */
export const SKIPPED = 'skipped';
/** A line of the same application that is about something else than the answer to a request. */
export const OTHER_EVENT = 'other event';

/**
 * Reads a line of a log, without its end. Undefined for one that it cannot read. It never throws. The texts of a request
 * can be read until the next line: most of them are needed for few requests, and are made when they are read.
 *
 * @param start of the line in `bytes`. @default 0
 * @param end of the line. @default that of `bytes`
 */
export type ReadLine = (
  bytes: Buffer,
  start?: number,
  end?: number,
) => LoggedRequest | typeof SKIPPED | typeof OTHER_EVENT | undefined;

/** Reads the lines of a log. */
export interface LogReader extends ReadLine {
  /** No time that was read until now is finer than a second: by how it is written, because any may lie on one. */
  readonly isWholeSeconds: () => boolean;
  /** Lines can have `X-Forwarded-For`: in a field of its own, or a line that was read has it in place of the address. */
  readonly hasForwarded: () => boolean;
  /** Requests whose last line the log does not have. To be read at its end. */
  readonly rest: () => readonly LoggedRequest[];
}

/** What a reader returns beside the usual. Fields are names of columns, or paths such as `user.id` in JSON. */
export interface ExtraFields {
  readonly key?: string | undefined;
  readonly cost?: string | undefined;
  /** Finds the client behind proxies, in `X-Forwarded-For`. @default the address of the connection */
  readonly addressOf?: ClientAddress | undefined;
}

/** A format of logs. */
export interface LogFormat {
  readonly name: string;
  /** Of one JSON object a line. */
  readonly isJson: boolean;
  /**
   * A reader of one file, because a file may begin with a header.
   *
   * @param sample some lines of the file, which tell how it writes what a format leaves open. @default none
   * @throws Failure for a field that no line has
   */
  readonly reader: (extra: ExtraFields, sample?: readonly Buffer[]) => LogReader;
}
