/** What the names of the units of a caller end with: its weight and its number. */
export interface CallerEnd {
  readonly weight: number;
  readonly caller: number;
}

export function callerEnd({ weight, caller }: CallerEnd): string {
  return `|${weight}|${caller}`;
}
