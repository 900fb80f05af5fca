/** Units of a balance that end together. */
export interface Grant {
  /** Tells it from the other grants of its balance: 0 for units without an end in the default order. */
  readonly number: number;
  /** Grants of a lower order are spent first. */
  readonly order: number;
  /** Milliseconds since 1970; 0: never. */
  readonly ends: number;
  readonly left: number;
}

/** In the order in which they are spent. Spent ones stay until they end, because refunds may come. */
export type Grants = readonly Grant[];

/** What a charge has taken, and of which grants. */
export interface Taken {
  readonly grants: Grants;
  /**
   * The grants, in one integer: the number of the first one, that of the last one, and the units of the last one. The last one
   * stands for all that follow the first.
   */
  readonly receipt: number;
}

/** Units that came back. */
export interface Returned {
  readonly grants: Grants;
  /** Those whose grant has ended. */
  readonly lost: number;
}

export const DEFAULT_ORDER = 50;
export const MAX_ORDER = 100;
/** Grants with units. */
export const MAX_GRANTS = 16;
const NUMBER_RANGE = 1024;
/** Then they begin again: no request runs for so long. */
const NUMBERS = NUMBER_RANGE - 1;
/** Above the highest cost of a request. A settlement charges more, and nothing refunds it. */
const UNITS_RANGE = 2 ** 32;

export function sumOf(grants: Grants): number {
  let sum = 0;
  for (const { left } of grants) sum += left;
  return sum;
}

/** True for a grant that is worth nothing any more. */
export function hasEnded({ ends }: Grant, now: number): boolean {
  return ends > 0 && ends <= now;
}

/** @param units at most what the grants have */
export function take(grants: Grants, units: number): Taken {
  const after: Grant[] = [];
  let wanted = units;
  let [first, last, rest] = [-1, 0, 0];
  for (const each of grants) {
    const taken = Math.min(wanted, each.left);
    wanted -= taken;
    if (taken > 0) {
      last = each.number;
      if (first < 0) first = last;
      else rest += taken;
    }
    const left = each.left - taken;
    if (left > 0 || each.number > 0) after.push(taken === 0 ? each : { ...each, left });
  }
  const refundable = Math.min(rest, UNITS_RANGE - 1);
  return { grants: after, receipt: (Math.max(0, first) * NUMBER_RANGE + last) * UNITS_RANGE + refundable };
}

/** Gives units back to the grants of a receipt, the last one first. */
export function giveBack(grants: Grants, units: number, receipt: number): Returned {
  const rest = receipt % UNITS_RANGE;
  const numbers = (receipt - rest) / UNITS_RANGE;
  const last = numbers % NUMBER_RANGE;
  const first = (numbers - last) / NUMBER_RANGE;
  const toLast = Math.min(units, rest);
  const some = addTo(grants, last, toLast);
  const all = addTo(some ?? grants, first, units - toLast);
  return {
    grants: all ?? some ?? grants,
    lost: (some === undefined ? toLast : 0) + (all === undefined ? units - toLast : 0),
  };
}

/** The grants of a balance, and how many have had a number. */
export interface Granted {
  readonly grants: Grants;
  readonly granted: number;
}

/** Adds units that end then. Undefined where that would be a grant too many. */
export function grant(
  balance: Granted,
  units: number,
  { ends, order }: Pick<Grant, 'ends' | 'order'>,
): Granted | undefined {
  const { grants, granted } = balance;
  const known = grants.find((each) => each.ends === ends && each.order === order);
  if (known !== undefined) return { grants: addTo(grants, known.number, units)!, granted };
  if (grants.filter(({ left }) => left > 0).length >= MAX_GRANTS) return undefined;
  if (ends === 0 && order === DEFAULT_ORDER) return { grants: addTo(grants, 0, units)!, granted };
  const kept = withRoom(grants);
  const next = nextNumber(kept, granted);
  return { grants: inserted(kept, { number: ((next - 1) % NUMBERS) + 1, order, ends, left: units }), granted: next };
}

/** The grant with units that ends next. */
export function endsNext(grants: Grants): Grant | undefined {
  let next: Grant | undefined;
  for (const each of grants) {
    if (each.left > 0 && each.ends > 0 && (next === undefined || each.ends < next.ends)) next = each;
  }
  return next;
}

/** Undefined where no grant has the number. */
function addTo(grants: Grants, number: number, units: number): Grants | undefined {
  if (units === 0) return grants;
  const place = grants.findIndex((each) => each.number === number);
  if (place < 0)
    return number > 0 ? undefined : inserted(grants, { number, order: DEFAULT_ORDER, ends: 0, left: units });
  return grants.map((each, index) => (index === place ? { ...each, left: each.left + units } : each));
}

function inserted(grants: Grants, added: Grant): Grants {
  const place = grants.findIndex((each) => isBefore(added, each));
  return place < 0 ? [...grants, added] : [...grants.slice(0, place), added, ...grants.slice(place)];
}

function isBefore(one: Grant, other: Grant): boolean {
  if (one.order !== other.order) return one.order < other.order;
  if (one.ends !== other.ends) return other.ends === 0 || (one.ends !== 0 && one.ends < other.ends);
  return false;
}

/** Without the spent grant that is spent first, where they are too many. */
function withRoom(grants: Grants): Grants {
  if (grants.length < MAX_GRANTS) return grants;
  const place = grants.findIndex(({ left }) => left === 0);
  return grants.filter((_, index) => index !== place);
}

function nextNumber(grants: Grants, granted: number): number {
  let next = granted + 1;
  while (grants.some(({ number }) => number === ((next - 1) % NUMBERS) + 1)) next += 1;
  return next;
}
