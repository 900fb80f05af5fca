const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * A time as the headers of OpenAI have it, which is the text of a duration in Go (https://pkg.go.dev/time#Duration.String):
 * `12ms`, `7.66s`, `6m0s`, `1h0m0s`. Zero is `0s`.
 *
 * @param milliseconds whole
 */
export function goDuration(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < SECOND) return `${milliseconds}ms`;
  const seconds = `${(milliseconds % MINUTE) / SECOND}s`;
  if (milliseconds < MINUTE) return seconds;
  const minutes = `${Math.floor((milliseconds % HOUR) / MINUTE)}m${seconds}`;
  return milliseconds < HOUR ? minutes : `${Math.floor(milliseconds / HOUR)}h${minutes}`;
}
