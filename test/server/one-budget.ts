import type { Fleet } from './fleet.js';

interface Flood {
  readonly requests: number;
  readonly limit: number;
  readonly inFlight: number;
}

/** Floods one identity, and uses half of the budget of another one. @returns what all processes say about what is left */
export async function flooded(fleet: Fleet, { requests, limit, inFlight }: Flood): Promise<object> {
  const left = await fleet.flood('203.0.113.7', requests, inFlight);
  const after = await fleet.left('203.0.113.7');
  const half = await fleet.flood('203.0.113.8', limit / 2, inFlight);
  const rest = await fleet.left('203.0.113.8');
  return { left: left.toSorted((one, other) => one - other), after, half: half.length, rest };
}

/** What they say if exactly the limit is admitted. */
export function oneBudget(limit: number): object {
  const half = limit / 2;
  return { left: Array.from({ length: limit }, (_, units) => units), after: [0, 0, 0], half, rest: [half, half, half] };
}
