import { limitText } from './limit-value.js';
import type { PolicyDocument } from './read-document.js';
import type { TierEntry } from './read-tier.js';

/** What a text changes in a tier or in the overrides. */
export interface Change {
  /** `api/ip-minute`, or `overrides`. */
  readonly of: string;
  /** `limit 600 → 300`. */
  readonly what: string;
  /** What follows for clients. */
  readonly effect: string;
  /** Another part of the identities of a tier is enforced. */
  readonly stage?: { readonly tier: string; readonly share: string };
}

const KEPT = 'counts kept; at once';
const FRESH = 'new counts; the old ones expire';
/** Options on which the stored counts depend. */
const SHAPE: ReadonlySet<string> = new Set(['window', 'windows', 'algorithm', 'precision', 'strict', 'key']);

/** What changes between two documents, in the order of the second one. @param before undefined for the first version */
export function changesOf(before: PolicyDocument<never> | undefined, after: PolicyDocument<never>): readonly Change[] {
  const old = tiersOf(before);
  const tiers = tiersOf(after);
  const changes = [...tiers].flatMap(([name, { of, entry }]): readonly Change[] => {
    const known = old.get(name);
    if (known === undefined) return [{ of, what: `new: ${summary(entry)}`, effect: 'begins with no counts' }];
    const moved = known.of === of ? [] : [{ of, what: `was ${known.of}`, effect: KEPT }];
    return [...moved, ...optionChanges(of, known.entry, entry)];
  });
  const removed = [...old].filter(([name]) => !tiers.has(name));
  return [
    ...changes,
    ...removed.map(([, { of }]) => ({ of, what: 'removed', effect: 'its counts expire' })),
    ...routeChanges(before, after),
    ...overrideChanges(before, after),
  ];
}

interface Placed {
  readonly of: string;
  readonly entry: TierEntry;
}

function tiersOf(document: PolicyDocument<never> | undefined): ReadonlyMap<string, Placed> {
  const tiers = [...(document?.limiters ?? [])].flatMap(([limiter, each]) =>
    each.map(({ name }) => [name!, { of: `${limiter}/${name}`, entry: document!.entries.get(name!)! }] as const),
  );
  return new Map(tiers);
}

function optionChanges(of: string, before: TierEntry, after: TierEntry): readonly Change[] {
  const names = [...new Set([...Object.keys(before.given), ...Object.keys(after.given)])];
  return names.flatMap((name) => {
    const [from, to] = [textOf(name, before.given), textOf(name, after.given)];
    if (from === to) return [];
    const change = { of, what: `${name} ${from} → ${to}`, effect: SHAPE.has(name) ? FRESH : KEPT };
    const stage = { tier: after.name, share: Object.hasOwn(after.given, name) ? to : '100%' };
    return [name === 'enforce' ? { ...change, stage } : change];
  });
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
