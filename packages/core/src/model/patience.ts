/** How a request waits. */
export interface Patience {
  /** In milliseconds. @default as long as the policies say */
  readonly wait?: number | undefined;
  /** Ends the wait. */
  readonly signal?: StopSignal | undefined;
  /** Others of its caller wait behind it in a line of their own. */
  readonly hasOthers?: boolean | undefined;
}

/** The members of an `AbortSignal` that are used here, for programs whose types have none. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}
