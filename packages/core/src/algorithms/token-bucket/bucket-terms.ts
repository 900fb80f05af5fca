import type { BucketTerms } from '../../model/inspection.js';
import type { ArrivalTime } from './arrival-time.js';
import type { BucketPolicy } from './bucket-policy.js';
import { unitsAt, type Spent } from './moving-bucket.js';

/** @param queued requests wait for their turn */
export function bucketTerms(
  state: ArrivalTime | Spent,
  now: number,
  { capacity, limit, window, moves }: BucketPolicy,
  queued: boolean,
): BucketTerms {
  const [ticks, rest] = state as ArrivalTime;
  const debt = ticks < now ? 0 : ticks - now + rest / limit;
  const spent = moves ? unitsAt(state as Spent, now) : debt / (window / limit);
  return { form: 'bucket', tokens: capacity - spent, capacity, interval: window / limit / 1e3, queued };
}
