const MINUTE = 60_000;

/** How the requests of a client lie in minutes of the clock. */
export interface Pace {
  /** Minutes with a request. */
  readonly minutes: number;
  /** Minutes from the first request to the last. */
  readonly span: number;
  /** The most requests of one of them. */
  readonly most: number;
  /** Requests a minute, in minutes with a request, as a part of the most: 1 for a client that never slows down. */
  readonly evenness: number;
}

/** @param requests times of one client in order, of which only the first `size` are of the client. */
export function paceOf(requests: { readonly size: number; readonly times: Float64Array }): Pace {
  const { size, times } = requests;
  let [minutes, most, inMinute, minute] = [0, 0, 0, Number.NaN];
  for (let index = 0; index < size; index += 1) {
    const current = Math.floor(times[index]! / MINUTE);
    if (current !== minute) {
      minute = current;
      inMinute = 0;
      minutes += 1;
    }
    inMinute += 1;
    if (inMinute > most) most = inMinute;
  }
  const span = size === 0 ? 0 : minute - Math.floor(times[0]! / MINUTE) + 1;
  return { minutes, span, most, evenness: minutes === 0 ? 0 : size / minutes / most };
}
