let left = 1_000_000_000;

/** Sets the three headers that all limiters send, with another number each time. */
export function threeHeaders(set: (name: string, value: string) => void): void {
  left -= 1;
  set('x-ratelimit-limit', '1000000000');
  set('x-ratelimit-remaining', String(left));
  set('x-ratelimit-reset', String(Math.ceil(Date.now() / 1e3)));
}
