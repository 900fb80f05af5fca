import type { LimitDraft } from '../limits/limit-draft.js';
import { limitText } from '../limits/count.js';
import { windowText } from '../limits/duration.js';
import { ZERO_LIMIT } from '../limits/differences.js';
import { constantOf } from '../source/constant.js';
import { importsOf, usesOf } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, nameOf, type Syntax } from '../source/syntax.js';

/** A throttler as options of a tier. */
export interface Throttler {
  /** `default` without one. */
  readonly name: string;
  readonly limit: string;
  readonly window: string;
}

/** The helpers of @nestjs/throttler for times. */
const HELPERS: Readonly<Record<string, number | undefined>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
};

/** A limit without a function, which has no equal. */
const NUMBER = { carrying: { parameters: 0 }, zero: ZERO_LIMIT };

/** The most that a log holds. */
const LONGEST_LOG = 10_000;

/** The throttlers in an array. Undefined, and refused, if one of them is more than a limit. */
export function throttlersIn(draft: LimitDraft, list: Syntax): Throttler[] | undefined {
  const found = (list.elements as (Syntax | null)[]).map((each) => {
    const object = each && bare(each);
    if (object?.type === 'ObjectExpression') return throttlerOf(draft, object, undefined);
    draft.refuse(each ?? list, 'a throttler is not written here', 'write it here, and run this again');
    return undefined;
  });
  return found.every((each) => each !== undefined) && found.length > 0 ? found : undefined;
}

/** A throttler in an object. What it lacks is that of the module. */
/** @param second the milliseconds of a unit of `ttl`: 1 000 in version 4 */
export function throttlerOf(
  draft: LimitDraft,
  object: Syntax,
  base: Throttler | undefined,
  { second = 1, others = [] }: { readonly second?: number; readonly others?: readonly string[] } = {},
): Throttler | undefined {
  const before = draft.unread.length;
  let { name = 'default', limit, window } = base ?? ({} as Partial<Throttler>);
  for (const property of object.properties as Syntax[]) {
    const option = property.type === 'Property' ? nameOf(property) : undefined;
    const value = property.type === 'Property' ? bare(property.value) : property;
    if (option === 'name' && typeof constantOf(draft.file, value) === 'string')
      name = String(constantOf(draft.file, value));
    else if (option === 'limit' && !isFunction(value))
      limit = limitText(draft, { name: 'limit', value, property }, NUMBER);
    else if (option === 'ttl' && !isFunction(value)) window = ttlText(draft, property, value, second);
    else if (option === undefined || !others.includes(option)) refuseOption(draft, property, option);
  }
  if (draft.unread.length > before) return undefined;
  for (const [option, text, own] of [
    ['limit', base?.limit, limit],
    ['ttl', base?.window, window],
  ] as const) {
    // What the module reads may not be there where its limit is replaced.
    if (text === undefined || text !== own || /^['\d]/.test(text)) continue;
    draft.refuse(object, `the ${option} of the module is an expression`, `give this throttler its own ${option}`);
    return undefined;
  }
  if (limit !== undefined && window !== undefined) return { name, limit, window };
  draft.refuse(
    object,
    'a throttler has no limit or no ttl, and its module was not found',
    'name the file of the module too',
  );
  return undefined;
}

/** What to write for the options of a throttler that ours does not have. */
const HANDS: Readonly<Record<string, string | undefined>> = {
  blockDuration: "write a ban: a tier with algorithm: 'backoff' and charge: 'denied', docs/guide/login.md#bans",
  skipIf: 'write skip of the module: (request) => …',
  ignoreUserAgents: "write skip of the module: ({ headers }) => /bot/.test(String(headers?.['user-agent']))",
  getTracker: 'write key: by(…)',
  generateKey: 'write key: compose(…)',
  setHeaders: 'write headers: [] of the module',
  limit: 'write limit: (request) => …, which gets the request and no context',
  ttl: 'write a plan for each window: docs/guide/plans-and-costs.md#plans',
};

export function refuseOption(draft: LimitDraft, property: Syntax, option: string | undefined): void {
  const value = property.type === 'Property' && isFunction(bare(property.value)) ? ' is a function, which' : '';
  if (option === undefined)
    draft.refuse(property, 'a throttler has a spread', 'write its options out, and run this again');
  else
    draft.refuse(
      property,
      `${option} of a throttler${value} has no equal`,
      HANDS[option] ?? 'remove it if its library ignores it, else write it as an option of @RateLimit',
    );
}

/** The window of a `ttl`, which a helper of the library may give. */
function ttlText(draft: LimitDraft, property: Syntax, value: Syntax, second: number): string | undefined {
  const helper = value.type === 'CallExpression' ? helperOf(draft.file, value.callee as Syntax) : undefined;
  if (helper === undefined) return windowText(draft, { name: 'ttl', value }, { factor: second });
  const [count] = value.arguments as Syntax[];
  if (count) return windowText(draft, { name: 'ttl', value: bare(count) }, { factor: helper });
  draft.refuse(property, 'ttl is no time', 'choose a window');
  return undefined;
}

/** The milliseconds of `seconds` and the others, where they are those of the library. */
function helperOf(file: SourceFile, callee: Syntax): number | undefined {
  const node = bare(callee);
  const use = usesOf(file, importsOf(file, ['@nestjs/throttler'])).find((each) => each.node === node);
  return use && HELPERS[use.exported];
}

/** True for a limit that the exact log takes. */
export function isLog(limit: string): boolean {
  return Number(limit) <= LONGEST_LOG;
}

/** The options of a limit with one throttler. @param more further options */
export function limitOf({ limit, window }: Throttler, ...more: readonly string[]): string[] {
  // In memory theirs is a log of the hits of each client.
  const algorithm = isLog(limit) ? 'sliding-window-log' : 'fixed-window';
  return [
    limit === 'limit' ? limit : `limit: ${limit}`,
    window === 'window' ? window : `window: ${window}`,
    `algorithm: '${algorithm}'`,
    ...more,
  ];
}
