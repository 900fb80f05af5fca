import type { ClientAddress } from '@sluice/core';
import type { LoggedRequest } from './logged-request.js';

/** A line that is no request: a header, or another event of the same log. */
export const SKIPPED = 'skipped';

/**
 * Reads a line of a log, without its end. Undefined for one that it cannot read. It never throws. The texts of a request
 * can be read until the next line: most of them are needed for few requests, and are made when they are read.
 *
 * @param start of the line in `bytes`. @default 0
 * @param end of the line. @default that of `bytes`
 */
export type ReadLine = (bytes: Buffer, start?: number, end?: number) => LoggedRequest | typeof SKIPPED | undefined;

/** Reads the lines of a log. */
export interface LogReader extends ReadLine {
  /** No time that was read until now is finer than a second: by how it is written, because any may lie on one. */
  readonly isWholeSeconds: () => boolean;
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
  /** A reader of one file, because a file may begin with a header. @throws Failure for a field that no line has */
  readonly reader: (extra: ExtraFields) => LogReader;
}
