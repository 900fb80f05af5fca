import { DEADLINE_MS, type FaultRow } from './run-fault.js';

/** Time for a decision beyond the deadline and the lag of the event loop. */
const SLACK_MS = 25;
/** Redis must decide again within this time after its first PONG. */
const MAX_RECOVERY_MS = 3_000;

/** Milliseconds that a decision may take in a run. */
export function boundOf({ lag }: Pick<FaultRow, 'lag'>): number {
  return DEADLINE_MS + SLACK_MS + lag;
}

/** The bounds that a run breaks, in words: those of every fault, and the expectations of this one. */
export function brokenBounds(row: FaultRow): string[] {
  return [...brokenAlways(row), ...(row.countsOnce ? brokenCounts(row) : []), ...brokenExpectations(row)];
}

function brokenAlways(row: FaultRow): string[] {
  return [
    row.longest > boundOf(row) && `a decision took ${row.longest} ms, and ${boundOf(row)} ms are allowed`,
    row.rejections.length > 0 && `${row.rejections.length} decisions were rejected: ${String(row.rejections[0])}`,
    row.dishonest.length > 0 &&
      `${row.dishonest.length} decisions contradict themselves: ${JSON.stringify(row.dishonest[0])}`,
    row.leaks.length > 0 && `an identity is in ${row.leaks.length} events: ${row.leaks[0]}`,
  ].filter((each) => each !== false);
}

/** Bounds for clients with the settings of the store or the guide. Others may send twice, and reconnect at their own pace. */
function brokenCounts(row: FaultRow): string[] {
  const { admitted, onRedis, unsure } = row;
  return [
    onRedis > admitted + unsure &&
      `Redis has counted ${onRedis} requests, with ${admitted} admitted and ${unsure} without a reply`,
    onRedis < admitted && row.fault.expects?.forgets !== true && `Redis has counted ${onRedis} of ${admitted} requests`,
    row.ghosts !== 0 && `${row.ghosts} requests were counted after the end`,
    row.recovery > MAX_RECOVERY_MS &&
      row.fault.expects?.heals !== false &&
      `Redis has decided again ${row.recovery} ms after its first PONG`,
  ].filter((each) => each !== false);
}

function brokenExpectations(row: FaultRow): string[] {
  const {
    degrades = true,
    heals = true,
    breaker,
    configFaults: reports = 0,
    connects = true,
  } = row.fault.expects ?? {};
  // Only its own client tells the store why it may not connect.
  const configFaults = connects || row.ownClient ? reports : 0;
  const { redis, local, allow, deny } = row.decidedBy;
  return [
    heals && redis === 0 && 'Redis has decided nothing',
    degrades && [local, allow, deny].includes(0) && 'no request was decided without Redis',
    !degrades && row.degraded > 0 && `${row.degraded} decisions were made without Redis`,
    // A client that ends its connection for such an error leaves nothing to break: its requests find none.
    breaker === 'opens' && row.openings === 0 && row.unsure === 0 && 'the breaker has not opened',
    breaker === 'stays closed' && row.openingsByError > 0 && `the breaker has opened ${row.openingsByError} times`,
    row.configFaults !== configFaults &&
      `a wrong configuration was reported ${row.configFaults} times, not ${configFaults}`,
  ].filter((each) => each !== false);
}
