/** The measures of one contestant in one slice. */
export interface Sample {
  /** Checks a second, or requests. */
  readonly rate: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU a check: of the calling process, or of the HTTP server. */
  readonly cpu: number;
  /** The part of it in user mode, for an HTTP server. The rest depends on how the system wakes client and server. */
  readonly userCpu?: number;
  /** Its requests had no sockets, so that all of its CPU is that of the server. */
  readonly isUnsent?: true;
  /** Milliseconds from the load of an HTTP server's code until it listens. */
  readonly startTime?: number;
  /** Microseconds of CPU of Redis a check. */
  readonly redisCpu: number;
  /** Microseconds of it inside scripts. */
  readonly scriptTime: number;
  /** Bytes a check that Redis reads and writes. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Commands a check that go to Redis, the contents of scripts not counted. */
  readonly commands: number;
  /** The part of the checks that is rightly answered without Redis. */
  readonly fromProcess: number;
  /** The reason why the slice does not count. */
  readonly trouble?: string | undefined;
}

/** The measures of work that is measured by its CPU alone. */
export const CPU_ALONE = {
  p50: NaN,
  p99: NaN,
  redisCpu: NaN,
  scriptTime: NaN,
  bytesIn: NaN,
  bytesOut: NaN,
  commands: NaN,
  fromProcess: NaN,
} as const satisfies Partial<Sample>;

/** A slice, and those of the reference around it. */
export interface PairedSample {
  readonly sample: Sample;
  readonly before: Sample;
  readonly after: Sample;
}
