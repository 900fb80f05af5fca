export const COHORTS = 100;
const MINUTE = 60_000;

/**
 * The cohort of a client for a minute, from 0 to 99. Levels refuse cohorts from 0 up, so that a client is served for a minute or
 * not: a page of 20 requests then arrives whole. All processes give a client the same one. Minutes of clients begin apart.
 *
 * @param now milliseconds since 1970
 */
export function cohortOf(identity: string, now: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < identity.length; index += 1) hash = mixed(hash ^ identity.charCodeAt(index));
  const minute = Math.floor((now + (hash % MINUTE)) / MINUTE);
  return mixed(hash ^ mixed(minute)) % COHORTS;
}

/** A permutation of 32 bits, in which near numbers get far apart. */
function mixed(bits: number): number {
  const first = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}
