export interface Admission {
  /** Microseconds. */
  readonly at: number;
  readonly units: number;
}

/** The most units in any [t, t + span). Admissions come in the order of their times. */
export function maximum(admissions: readonly Admission[], span: number): number {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const { at, units } of admissions) {
    sum += units;
    while (at - admissions[first]!.at >= span) {
      sum -= admissions[first]!.units;
      first += 1;
    }
    most = Math.max(most, sum);
  }
  return most;
}
