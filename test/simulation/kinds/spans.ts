/** Units that were admitted at a time that is not known exactly. Milliseconds. */
export interface Admitted {
  /** Not before. */
  readonly sentAt: number;
  /** Not after. */
  readonly answeredAt: number;
  readonly cost: number;
}

/** No span of time holds more than it may: of units that were admitted certainly within it. */
export function checkSpans(
  admitted: readonly Admitted[],
  most: (from: number, to: number) => number,
  fail: (problem: string) => void,
): void {
  const sorted = admitted.toSorted((one, other) => one.answeredAt - other.answeredAt);
  for (const { sentAt: from } of sorted) {
    let units = 0;
    for (const { sentAt, answeredAt, cost } of sorted) {
      if (sentAt < from) continue;
      units += cost;
      const bound = most(from, answeredAt);
      if (units <= bound + 1e-6) continue;
      const span = `${from.toFixed(2)} to ${answeredAt.toFixed(2)}`;
      fail(`admits ${units} from ${span}, and at most ${bound.toFixed(1)} are allowed`);
      return;
    }
  }
}
