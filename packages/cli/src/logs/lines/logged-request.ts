import type { Span } from './span.js';

/** A request of a log. The subject of the functions of tiers. */
export interface LoggedRequest {
  /** When it arrived, or when its response ended where the log has nothing better. Milliseconds since 1970. */
  readonly time: number;
  /** The address, or the host name, as it is logged. Empty where the log has none, as for a Unix socket. */
  readonly ip: string;
  /** The bytes of `ip`, which can be read until those of another text are. */
  readonly ipBytes: Span;
  /** Empty where the log has none. */
  readonly user: string;
  readonly method: string;
  readonly url: string;
  /** The path of the URL, without its query. A slice of the line: copy it to keep it. */
  readonly path: string;
  /** The bytes of `path`, in the same way. */
  readonly pathBytes: Span;
  /** 0 where the log has none. */
  readonly status: number;
  /** The `User-Agent`. Empty where the log has none. */
  readonly agent: string;
  /** The same number for the same agent, and 0 for none: it is known without reading the text. */
  readonly agentCode: number;
  /** The field of `--key`. Empty where the line has none. */
  readonly key: string;
  /** The field of `--cost`. Empty where the line has none. */
  readonly cost: string;
}
