import { subscribe } from 'node:diagnostics_channel';

let calls = 0;
subscribe('sluice:store-call', () => (calls += 1));

/** Calls so far that stores of this process have sent to Redis. */
export function storeCalls(): number {
  return calls;
}
