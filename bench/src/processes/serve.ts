/** Functions that another process can call. Their arguments and values can be cloned. */
export type Verbs = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface Request {
  readonly id: number;
  readonly verb: string;
  readonly args: readonly unknown[];
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** Serves the calls of the parent process until it ends. */
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
