import { binsOf } from '../../charts/bins.js';
import type { FairSetup, Tenant } from './fair-setup.js';
import { runTenants } from './tenants.js';

/** The document of `--json`. */
export interface FairReport {
  readonly load: string;
  readonly seed: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly limit: number;
  /** The other options of the tier, as they were written. */
  readonly tier: FairSetup['tier'];
  /** Milliseconds of a request, on average. */
  readonly work: number;
  readonly fair: SharesReport;
  /** The same tenants in a line in the order of arrival. */
  readonly byArrival: SharesReport;
  /** Milliseconds of a bin of the timelines. */
  readonly width: number;
}

export interface SharesReport {
  /** Jain's index of the work of tenants without a pause. 1: all have the same. Absent for fewer than two. */
  readonly index?: number;
  /** The part of the limit that nothing used. */
  readonly idle: number;
  readonly tenants: readonly TenantReport[];
}

export interface TenantReport extends Tenant {
  readonly ran: number;
  readonly denied: number;
  /** Milliseconds before a request began. */
  readonly longestWait: number;
  /** Units in flight in each bin, on average. */
  readonly inFlight: readonly number[];
}

/** @throws ConfigError of core */
export async function fairReportOf(setup: FairSetup, load: string): Promise<FairReport> {
  const { duration, seed, limit, work, tier } = setup;
  const { width } = binsOf(duration);
  const [fair, byArrival] = [await sharesOf(setup, true), await sharesOf(setup, false)];
  return { load, seed, duration, limit, tier, work, fair, byArrival, width };
}

async function sharesOf(setup: FairSetup, isFair: boolean): Promise<SharesReport> {
  const { tenants, duration, limit } = setup;
  const { width, bins } = binsOf(duration);
  const zeros = () => new Array<number>(bins).fill(0);
  const seen = new Map(
    tenants.map((each) => [each, { ran: 0, denied: 0, longestWait: 0, worked: 0, inFlight: zeros() }]),
  );
  await runTenants(setup, isFair, {
    ran(tenant, from, to, waited) {
      const its = seen.get(tenant)!;
      its.ran += 1;
      its.longestWait = Math.max(its.longestWait, waited);
      its.worked += to - from;
      for (let bin = Math.floor(from / width); bin < bins && bin * width < to; bin += 1) {
        its.inFlight[bin]! += (Math.min(to, (bin + 1) * width) - Math.max(from, bin * width)) / width;
      }
    },
    denied: (tenant) => (seen.get(tenant)!.denied += 1),
  });
  const worked = (of: readonly Tenant[]) => of.map((each) => seen.get(each)!.worked);
  const greedy = worked(tenants.filter(({ pause }) => pause === 0));
  return {
    ...(greedy.length > 1 && { index: sum(greedy) ** 2 / (greedy.length * sum(greedy.map((each) => each ** 2))) }),
    idle: 1 - sum(worked(tenants)) / (limit * duration),
    tenants: tenants.map((tenant) => {
      const { worked: _worked, inFlight, ...counts } = seen.get(tenant)!;
      return { ...tenant, ...counts, inFlight: inFlight.map((each) => Math.round(each * 100) / 100) };
    }),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
