import { DEADLINE, type FaultRow } from './fault-run.js';

/** Milliseconds that a decision may take beyond the deadline and the lag of the event loop. */
const SLACK = 25;
/** Milliseconds after the first PONG within which Redis has to decide again. */
const RECOVERY = 3_000;

/** The longest that a decision may take in a run, in milliseconds. */
export function boundOf({ lag }: Pick<FaultRow, 'lag'>): number {
  return DEADLINE + SLACK + lag;
}

/** What does not hold of what always has to, and of what the fault is expected to do: empty where all is well. */
export function brokenBounds(row: FaultRow): string[] {
  return [...brokenAlways(row), ...(row.ownClient ? brokenCounts(row) : []), ...brokenExpectations(row)];
}

function brokenAlways(row: FaultRow): string[] {
  return [
    row.longest > boundOf(row) && `a decision took ${row.longest} ms, and ${boundOf(row)} ms are allowed`,
    row.rejections.length > 0 && `${row.rejections.length} decisions were rejected: ${String(row.rejections[0])}`,
    row.dishonest.length > 0 &&
      `${row.dishonest.length} decisions are not what they say: ${JSON.stringify(row.dishonest[0])}`,
    row.leaks.length > 0 && `an identity is in ${row.leaks.length} events: ${row.leaks[0]}`,
  ].filter((each) => each !== false);
}

/** Of clients that the store has made: others may send twice, and connect again when they like. */
function brokenCounts(row: FaultRow): string[] {
  const { admitted, onRedis, unsure } = row;
  return [
    onRedis > admitted + unsure &&
      `Redis has counted ${onRedis} hits, of ${admitted} admitted and ${unsure} that had no answer`,
    onRedis < admitted && row.fault.expects?.forgets !== true && `Redis has counted ${onRedis} hits of ${admitted}`,
    row.ghosts !== 0 && `${row.ghosts} hits were counted after the end`,
    row.recovery > RECOVERY &&
      row.fault.expects?.heals !== false &&
      `Redis has decided again ${row.recovery} ms after its first PONG`,
  ].filter((each) => each !== false);
}

function brokenExpectations(row: FaultRow): string[] {
  const { degrades = true, heals = true, breaker, configFaults = 0 } = row.fault.expects ?? {};
  const { redis, local, allow, deny } = row.decidedBy;
  return [
    heals && redis === 0 && 'Redis has decided nothing',
    degrades && [local, allow, deny].includes(0) && 'the fault has struck nobody',
    !degrades && row.degraded > 0 && `${row.degraded} decisions were made without Redis`,
    breaker === 'opens' && row.openings === 0 && 'the breaker has not opened',
    breaker === 'stays closed' && row.openingsByError > 0 && `the breaker has opened ${row.openingsByError} times`,
    row.configFaults !== configFaults &&
      `a wrong configuration was told ${row.configFaults} times, and not ${configFaults}`,
  ].filter((each) => each !== false);
}
