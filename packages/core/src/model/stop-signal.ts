/** The members of an `AbortSignal` that are used here, for programs whose types have none. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}
