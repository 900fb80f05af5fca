/** The numbers that a store has beside states. */
export interface BesideNumbers {
  get(key: string): readonly number[] | undefined;
  set(key: string, numbers: readonly number[]): void;
  delete(key: string): void;
}
