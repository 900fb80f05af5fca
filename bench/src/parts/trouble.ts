import type { SliceCount } from '../drive/slice.js';
import type { Workload } from '../drive/workload.js';

interface Expectation {
  /** Whether the contestant decides at all. */
  readonly decides: boolean;
  readonly workload: Workload['kind'];
}

const DENIED = 0.9;

/** The reason why slices do not count: skipped work, or denials of the wrong clients. */
export function troubleOf(slices: readonly SliceCount[], { decides, workload }: Expectation): string | undefined {
  const skipped = slices.find((slice) => slice.skipped > 0);
  if (skipped) return `${skipped.skipped} of ${skipped.checks} checks ${skipped.skippedHow}`;
  if (!decides) return undefined;

  const checks = slices.reduce((sum, slice) => sum + slice.checks, 0);
  const denied = slices.reduce((sum, slice) => sum + slice.denied, 0);
  if (workload !== 'attack') return denied === 0 ? undefined : `${denied} of ${checks} checks denied, and none should`;

  // Keys are drawn at random, so a few checks may lie further off.
  const tolerance = 0.01 + 4 * Math.sqrt((DENIED * (1 - DENIED)) / checks);
  if (Math.abs(denied / checks - DENIED) <= tolerance) return undefined;
  return `${((denied / checks) * 100).toFixed(1)} % denied, and 90 % should`;
}
