// fair/ simulates tenants that share a limit of running requests. Options of tenants enter, and a report leaves. It
// imports random/, charts, terminal, invocation and failure.
import { usage } from '../../failure/failure.js';
import { parseTime } from '../../invocation/time.js';

/** A sender of requests: so many at a time. */
export interface Tenant {
  readonly name: string;
  readonly requests: number;
  /** Milliseconds before each request. 0 for a greedy tenant. */
  readonly pause: number;
}

export interface FairSetup {
  readonly limit: number;
  /** Milliseconds that a request works, on average. */
  readonly work: number;
  /** Other options of the tier. */
  readonly tier: Readonly<Record<string, string | number>>;
  readonly tenants: readonly Tenant[];
  /** Of the simulation, in milliseconds. */
  readonly duration: number;
  readonly seed: number;
}

const SETUP = 'write the units that may run and the time of their work, such as "20 work=50ms"';
/** Each has a panel of the picture. */
const MOST_TENANTS = 12;
const MOST_REQUESTS = 10_000;
const MOST_WORK = 500_000;

/**
 * What `--fair` says, and `--load` beside it. Core checks the options of the tier.
 *
 * @throws Failure for a text that is no setup, or no load
 */
export function fairSetupOf(
  text: string,
  loads: readonly string[],
  { duration, seed }: { readonly duration: number; readonly seed: number },
): FairSetup {
  const tier: Record<string, string | number> = {};
  let limit: number | undefined;
  for (const word of text.trim().split(/\s+/)) {
    const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
    if (/^\d+$/.test(word)) limit = Number(word);
    else if (name !== undefined) tier[name] = /^\d+$/.test(value!) ? Number(value) : value!;
    else throw usage(`--fair: "${word}" is no part of a setup: ${SETUP}`);
  }
  if (limit === undefined) throw usage(`--fair ${text}: the limit is missing: ${SETUP}`);
  const { work: given = '50ms', ...others } = tier;
  const work = parseTime(String(given));
  if (work === undefined) throw usage(`--fair: work: write a duration such as 50ms, got ${given}`);
  const tenants = loads.map(tenantOf);
  if (new Set(tenants.map(({ name }) => name)).size < tenants.length) throw usage('--load: two tenants have one name');
  if (tenants.length < 2 || tenants.length > MOST_TENANTS) {
    throw usage(`--load: with --fair write 2 to ${MOST_TENANTS} tenants, such as flood:40 and quiet:1/300ms`);
  }
  const requests = tenants.reduce((sum, each) => sum + each.requests, 0);
  if (requests > MOST_REQUESTS)
    throw usage(`--load: ${requests} requests at a time are too many; at most ${MOST_REQUESTS}`);
  if ((limit * duration) / work > MOST_WORK) {
    throw usage(`--for: more than ${MOST_WORK} requests would run: shorten it, or lengthen work`);
  }
  return { limit, work, tier: others, tenants, duration, seed };
}

function tenantOf(text: string): Tenant {
  const [, name, requests, every] = /^([a-z]\w*):(\d+)(?:\/(.+))?$/.exec(text) ?? [];
  const pause = every === undefined ? 0 : parseTime(every);
  if (name !== undefined && Number(requests) > 0 && pause !== undefined)
    return { name, requests: Number(requests), pause };
  throw usage(
    `--load ${text}: with --fair write a tenant and its requests at a time, such as flood:40, or quiet:1/300ms with a pause before each`,
  );
}
