import { headerOf, type HttpRequest, isHeaderName } from '@sluice/http/internal';
import type { OptionReader, OptionRow, OptionRows } from '@sluice/core/internal';
import { type From, fromRow, isFrom } from './from-option.js';
import { isPriority, type Priority, PRIORITY_HEADER } from '../passing/priority.js';

/** Priorities that other services have given. */
export interface KeptOptions {
  /**
   * The header with the priority.
   *
   * @default 'x-priority'
   */
  header?: string;
  /**
   * The services: peers whose header counts. Addresses and networks, `loopback`, `linklocal` or `uniquelocal`; or `'unix'`, for all
   * that connect to a Unix socket.
   *
   * @example ['10.0.0.0/8']
   */
  from: From;
}

/** The priority that a request had in the service that sends it. Undefined if none of the option does. */
export type KeptPriority = (request: HttpRequest) => Priority | undefined;

export const KEPT_ROW = {
  is: (kept) => typeof kept === 'object' && kept !== null,
  words: "an object: write kept: { from: ['10.0.0.0/8'] }",
} as const satisfies OptionRow;

export const KEPT_ROWS = {
  header: { is: isHeaderName, words: "the name of a header, such as 'x-priority'", otherwise: PRIORITY_HEADER },
  from: fromRow('services'),
} as const satisfies OptionRows;

/** The option `kept` of a shedder. @throws ConfigError */
export function readKept(reader: OptionReader): KeptPriority | undefined {
  if (!reader.has('kept')) return undefined;
  const { header, from } = reader.within('kept', KEPT_ROWS).read(KEPT_ROWS);
  const name = (header as string).toLowerCase();
  const isOfService = isFrom(from as From, 'kept.from');
  return (request) => {
    const text = headerOf(request, name);
    return isPriority(text) && isOfService(request) ? text : undefined;
  };
}
