import type { Fleet } from './fleet.js';

interface Flood {
  readonly requests: number;
  readonly limit: number;
  readonly inFlight: number;
}

/** Floods one identity, and uses half of the budget of another one: all processes agree about what is left. */
export async function expectOneBudget(fleet: Fleet, { requests, limit, inFlight }: Flood): Promise<void> {
  const left = await fleet.flood('203.0.113.7', requests, inFlight);
  const after = await fleet.left('203.0.113.7');
  const half = await fleet.flood('203.0.113.8', limit / 2, inFlight);
  const rest = await fleet.left('203.0.113.8');

  expect(left.toSorted((one, other) => one - other)).toEqual(Array.from({ length: limit }, (_, units) => units));
  expect(after).toEqual([0, 0, 0]);
  expect(half).toHaveLength(limit / 2);
  expect(rest).toEqual([limit / 2, limit / 2, limit / 2]);
}
