import { limitText } from '../document/limit-value.js';
import type { PolicyDocument } from '../document/read-document.js';
import type { TierEntry } from '../document/read-tier.js';
import { refusalOf } from './refusal.js';
import { shapesOf, type Shape } from './shapes.js';

/** What a text changes in a tier or in the overrides. */
export interface Change {
  /** `api/ip-minute`, `api`, `overrides`, or `processes`. */
  readonly of: string;
  /** `limit 600 → 300`. */
  readonly what: string;
  /** What follows for clients. */
  readonly effect: string;
  /** Another part of the identities of a tier is enforced. */
  readonly stage?: { readonly tier: string; readonly share: string };
}

const KEPT = 'counts kept; immediately';
const REMOVED = 'its counts expire';
const NEW = 'begins with no counts';
/** The processes may have this tier in their files. */
const NOT_KNOWN = 'not known: no version before this one is in Redis';
const FRESH = 'new counts; the old ones expire';
const FRESH_BY_KEY = 'new counts, unless both keys return the same identity';
/** A balance has no end. */
const UNPAID = 'new counts; its credits stay in the store, and pay for nothing';
/** Of two limiters. */
const MOVED = 'counts kept, if both limiters have the same store, prefix, secret and partition';
/** Key functions of core, which return other identities than each other. */
const BUILT_IN = /^(ip|api-key|jwt-subject|session|header:.*)$/;

/** What changes between two documents, in the order of the second one. @param before undefined for the first version */
export function changesOf(before: PolicyDocument<never> | undefined, after: PolicyDocument<never>): readonly Change[] {
  const [old, tiers] = [placesIn(before), placesIn(after)];
  const changes = [...tiers].flatMap(([name, now]): readonly Change[] => {
    const known = old.get(name);
    if (known !== undefined) return tierChanges(known, now);
    return [{ of: now.of, what: `new: ${summary(now.entry)}`, effect: before === undefined ? NOT_KNOWN : NEW }];
  });
  const removed = [...old].filter(([name]) => !tiers.has(name));
  return [
    ...changes,
    ...removed.map(([, { of, shape }]) => ({ of, what: 'removed', effect: shape.isBalance ? UNPAID : REMOVED })),
    ...routeChanges(before, after),
    ...overrideChanges(before, after),
    ...refusal(before, after),
  ];
}

interface Placed {
  readonly of: string;
  readonly entry: TierEntry;
  readonly shape: Shape;
}

function placesIn(document: PolicyDocument<never> | undefined): ReadonlyMap<string, Placed> {
  if (document === undefined) return new Map();
  const shapes = shapesOf(document);
  const tiers = [...document.limiters].flatMap(([limiter, each]) =>
    each.map(({ name }): [string, Placed] => {
      const entry = document.entries.get(name!)!;
      return [name!, { of: `${limiter}/${name}`, entry, shape: shapes.get(name!)! }];
    }),
  );
  return new Map(tiers);
}

/** One effect for all changes of a tier: its counts are kept by none of them, or by all. */
function tierChanges(before: Placed, { of, entry, shape }: Placed): readonly Change[] {
  const isMoved = before.of !== of;
  const effect = effectOf(before.shape, shape) ?? (isMoved ? MOVED : KEPT);
  const moved = isMoved ? [{ of, what: `was ${before.of}`, effect }] : [];
  const [old, given] = [before.entry.given, entry.given];
  const names = [...new Set([...Object.keys(old), ...Object.keys(given)])];
  const changed = names.flatMap((name) => {
    const [from, to] = [textOf(name, old), textOf(name, given)];
    if (from === to) return [];
    const change = { of, what: `${name} ${from} → ${to}`, effect };
    const stage = { tier: entry.name, share: Object.hasOwn(given, name) ? to : '100%' };
    return [name === 'enforce' ? { ...change, stage } : change];
  });
  return [...moved, ...changed];
}

/** What follows for counts. Undefined if they are kept. */
function effectOf(before: Shape, after: Shape): string | undefined {
  if (before.end !== after.end) return before.isBalance ? UNPAID : FRESH;
  if (before.key === after.key) return undefined;
  return [before.key, after.key].every((key) => BUILT_IN.test(String(key))) ? FRESH : FRESH_BY_KEY;
}

/** `default` stands for an option that a tier does not have. */
function textOf(name: string, options: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(options, name)) return 'default';
  const value = options[name];
  if (name === 'limit') return limitText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function summary({ given }: TierEntry): string {
  const names = Object.keys(given).filter((name) => name !== 'name');
  return names.map((name) => `${name} ${textOf(name, given)}`).join(', ');
}

/** Of a limiter that is new or gone its tiers say enough. */
function routeChanges(before: PolicyDocument<never> | undefined, after: PolicyDocument<never>): readonly Change[] {
  const routesOf = (document: PolicyDocument<never> | undefined, limiter: string) =>
    document?.routes
      .get(limiter)
      ?.map(({ text }) => text)
      .join(', ') ?? 'not named';
  return [...after.limiters.keys()].flatMap((of) => {
    const [from, to] = [routesOf(before, of), routesOf(after, of)];
    if (from === to || before?.limiters.has(of) !== true) return [];
    return [{ of, what: `routes ${from} → ${to}`, effect: 'only tools read them; counts kept' }];
  });
}

/** An override has no name, and a diff shows no identity. */
function overrideChanges(before: PolicyDocument<never> | undefined, after: PolicyDocument<never>): readonly Change[] {
  const [old, now] = [before?.overrides ?? [], after.overrides].map((each) => each.map((one) => JSON.stringify(one)));
  const added = now!.filter((each) => !old!.includes(each)).length;
  const removed = old!.filter((each) => !now!.includes(each)).length;
  if (added + removed === 0) return [];
  return [{ of: 'overrides', what: `${added} new, ${removed} gone`, effect: KEPT }];
}

function refusal(before: PolicyDocument<never> | undefined, after: PolicyDocument<never>): readonly Change[] {
  const problem = before && refusalOf(before, after);
  return problem === undefined ? [] : [{ of: 'processes', what: 'refuse this text', effect: problem }];
}
