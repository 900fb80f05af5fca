/** What one process does for another: functions whose arguments and values can be sent. */
export type Verbs = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface Request {
  readonly id: number;
  readonly verb: string;
  readonly args: readonly unknown[];
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** Does what the parent process asks for, until it is gone. */
export function serve(verbs: Verbs): void {
  process.on('message', ({ id, verb, args }: Request) => {
    const call = verbs[verb] as (...args: readonly unknown[]) => unknown;
    void Promise.resolve()
      .then(() => call(...args))
      .then(
        (value) => ({ id, value }),
        (error: unknown) => ({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
      .then((reply: Reply) => process.send!(reply));
  });
  process.on('disconnect', () => process.exit());
}
