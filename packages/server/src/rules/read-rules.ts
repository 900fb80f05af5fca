import type { Key } from '@sluice/core';
import { OptionReader, type OptionRows, show } from '@sluice/http/adapter';
import type { ExtensionPart, ExtendedTier } from './extension-part.js';
import { type Facts, joined } from './facts.js';
import { Rules, type Rule, type RuleValues, type Wanted } from './rule.js';

const OWNER = 'extensions.server';

export const PART_ROWS = {
  descriptors: { is: 'array', words: 'a list of rules, such as [{ tier: ip-minute, from: [remote_address] }]' },
  identities: {
    is: (names) => Array.isArray(names) && names.every((name) => typeof name === 'string' && /^.{1,64}$/s.test(name)),
    words: 'a list of names of keys, such as [tenant]',
  },
  receiptHeader: { is: /^[\w!#$%&'*+.^`|~-]{1,64}$/, words: 'the name of a header, such as x-sluice-receipt' },
} as const satisfies OptionRows;

export const RULE_ROWS = {
  tier: { is: 'string', words: 'the name of a tier of this file' },
  limiter: { is: 'string', words: 'the name of a limiter of this file, which domain names' },
  from: {
    is: (from) => Array.isArray(from) && from.length > 0 && from.length <= 16 && from.every(isWanted),
    words: "a list of 1 to 16 keys of entries, such as [remote_address], or with a value: ['generic_key=login']",
    required: true,
  },
  plan: { is: 'string', words: 'the key of an entry of from, whose value names the plan' },
  kind: { is: /^.{1,64}$/s, words: 'the kind of the identity, as in the first argument of by()' },
  unlimited: { oneOf: [true] },
} as const satisfies OptionRows;

/** @throws ConfigError with the place in the file */
export function readRules(part: ExtensionPart): Rules {
  const { value } = part;
  const limiters = limitersOf(part);
  if (value === undefined) return new Rules([], { limiters });
  if (!isRecord(value))
    throw part.fail([], `${OWNER} must be a map such as { descriptors: [ … ] }, got ${show(value)}`);
  const { receiptHeader } = part.check([], () => new OptionReader(OWNER, value, PART_ROWS).read(PART_ROWS));
  const given = (value['descriptors'] ?? []) as readonly unknown[];
  const rules = given.map((each, index) => readRule(part, index, each));
  return new Rules(rules, { limiters, receiptHeader: (receiptHeader as string | undefined)?.toLowerCase() });
}

function limitersOf({ tiers }: ExtensionPart): readonly string[] {
  return [...new Set([...tiers.values()].map(({ limiter }) => limiter))];
}

function readRule(part: ExtensionPart, index: number, given: unknown): Rule {
  const path = ['descriptors', index];
  const owner = `descriptors[${index}]`;
  if (!isRecord(given))
    throw part.fail(path, `${owner} must be a map such as { tier: ip-minute, from: [remote_address] }`);
  return part.check(path, () => {
    const reader = new OptionReader(owner, given, RULE_ROWS);
    const { tier, limiter, unlimited, plan, kind } = reader.read(RULE_ROWS) as Partial<Record<string, string>>;
    reader.check(
      ['tier', 'kind', 'plan'].map((option) => ({
        option,
        beside: 'unlimited',
        rule: 'cannot be combined with unlimited: leave one out',
      })),
    );
    const from = (given['from'] as readonly string[]).map(wantedOf);
    if (plan !== undefined && !from.some(({ key }) => key === plan)) {
      throw reader.fail('OPTION_INVALID', 'plan', `must be one of from (${from.map(({ key }) => key).join(', ')})`);
    }
    if (unlimited === undefined && tier === undefined) {
      throw reader.missing('OPTION_INVALID', 'tier', 'the name of a tier, or write unlimited: true');
    }
    if (limiter !== undefined) reader.one('limiter', { oneOf: limitersOf(part) });
    if (tier === undefined) return { limiter, tier, from, factsOf: () => ({}) };
    reader.one('tier', { oneOf: [...part.tiers.keys()] });
    const found = part.tiers.get(tier)!;
    if (limiter !== undefined && limiter !== found.limiter) {
      throw reader.fail('OPTION_INVALID', 'limiter', `must be ${found.limiter}, which has the tier, or left out`);
    }
    const factsOf = factsFor(found, { from, plan, kind }, (option, rule) =>
      reader.fail('OPTION_INVALID', option, rule),
    );
    return { limiter: found.limiter, tier, from, factsOf };
  });
}

interface RuleOptions {
  readonly from: readonly Wanted[];
  readonly plan: string | undefined;
  readonly kind: string | undefined;
}

/** What a request is about, by the key of its tier: facts for the functions of the middleware. */
function factsFor(
  { given }: ExtendedTier,
  { from, plan, kind }: RuleOptions,
  fail: (option: string, rule: string) => Error,
): (values: RuleValues) => Facts {
  const key = String(given.key);
  const caller = callerIn(given);
  const [planAt, callerAt] = [plan, caller].map((each) => from.findIndex(({ key: name }) => name === each));
  const identifying = from.flatMap((_each, at) => (at === planAt || at === callerAt ? [] : [at]));
  const variable = identifying.filter((at) => from[at]!.value === undefined);
  const own = variable.length > 0 ? variable : identifying;
  const factOf = factBy(key, kind);
  const [least, most] = countsOf(key);
  if (own.length < least || own.length > most) {
    const count = most === least ? `${most}` : `${least} or ${most}`;
    throw fail(
      'from',
      `must have ${most === Infinity ? 'at least one entry' : `${count} entries`} without a fixed value, because the tier counts by ${key}`,
    );
  }
  return ({ values, entries }) => {
    const facts = {
      ...factOf(own.map((at) => values[at]!)),
      ...(planAt! >= 0 && { plan: values[planAt!]! }),
      entries: Object.fromEntries(entries.map(({ key: name, value }) => [name, value])),
    };
    return callerAt! < 0 ? facts : joined(facts, factBy(caller!, undefined)([values[callerAt!]!]));
  };
}

/** The name by which a line or fair turns tell the callers of a key apart: its entry is no part of the identity. */
function callerIn({ key, line, fair }: ExtendedTier['given']): string | undefined {
  const { by } = { ...(fair as object), ...(line as object) } as { readonly by?: unknown };
  return typeof by === 'string' && by !== key ? by : undefined;
}

/** How many entries identify a client. */
function countsOf(key: string): readonly [least: number, most: number] {
  if (key === 'jwt-subject') return [1, 2];
  return ['ip', 'api-key', 'session'].includes(key) || key.startsWith('header:') ? [1, 1] : [1, Infinity];
}

function factBy(key: string, kind: string | undefined): (values: readonly string[]) => Facts {
  if (key === 'ip') return ([ip]) => ({ ip: addressOf(ip!) });
  if (key === 'api-key') return ([value]) => ({ headers: { 'x-api-key': value! } });
  if (key === 'session') return ([sessionID]) => ({ sessionID });
  if (key === 'jwt-subject') {
    return (values) => ({ auth: values.length === 2 ? { iss: values[0], sub: values[1] } : { sub: values[0] } });
  }
  if (key.startsWith('header:'))
    return ([value]) => ({ headers: { [key.slice('header:'.length).toLowerCase()]: value! } });
  return (values) => {
    const identity: Key = values.length === 1 && kind === undefined ? values[0]! : { kind: kind ?? key, parts: values };
    return { identities: { [key]: identity } };
  };
}

/** `masked_remote_address` has the length of its network: `192.0.2.0/24`. */
function addressOf(value: string): string {
  const slash = value.indexOf('/');
  return slash < 0 ? value : value.slice(0, slash);
}

function isWanted(text: unknown): boolean {
  return typeof text === 'string' && /^[^=]+(=.*)?$/s.test(text);
}

function wantedOf(text: string): Wanted {
  const at = text.indexOf('=');
  return at < 0 ? { key: text, value: undefined } : { key: text.slice(0, at), value: text.slice(at + 1) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
