import type { LoggedRequest } from './logged-request.js';

/** A line that is no request: a header, or another event of the same log. */
export const SKIPPED = 'skipped';

/** Reads the lines of a log. Undefined for a line that it cannot read. It never throws. */
export type LogReader = (line: string) => LoggedRequest | typeof SKIPPED | undefined;

/** Fields that a reader returns beside the usual ones. Names of columns, or paths such as `user.id` in JSON. */
export interface ExtraFields {
  readonly key?: string | undefined;
  readonly cost?: string | undefined;
}

/** A format of logs. */
export interface LogFormat {
  readonly name: string;
  /** A reader of one file, because a file may begin with a header. @throws Failure for a field that no line has */
  readonly reader: (extra: ExtraFields) => LogReader;
}
