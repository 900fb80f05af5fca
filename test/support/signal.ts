/** A promise that a test resolves. */
export interface Signal<T = void> {
  readonly given: Promise<T>;
  give(value: T): void;
}

export function signal<T = void>(): Signal<T> {
  let give!: (value: T) => void;
  const given = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
