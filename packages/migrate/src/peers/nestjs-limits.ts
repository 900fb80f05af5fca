import { ZERO_LIMIT } from '../limits/differences.js';
import { limitText } from '../limits/count.js';
import { windowText } from '../limits/duration.js';
import type { Converter, LimitDraft, Row } from '../limits/limit-draft.js';
import { readPart } from '../limits/option-table.js';
import { constantOf } from '../source/constant.js';
import { importsOf, usesOf } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, type Syntax } from '../source/syntax.js';

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

/** The most that a log holds. */
const LONGEST_LOG = 10_000;

/** What has no equal in a module, nor in one of its throttlers. */
export const WITHOUT_EQUAL: readonly Row[] = [
  {
    options: ['blockDuration'],
    refused: "write a ban: a tier with algorithm: 'backoff' and charge: 'denied', docs/guide/login.md#bans",
  },
  {
    options: ['ignoreUserAgents'],
    refused: "write skip of the module: ({ headers }) => /bot/.test(String(headers?.['user-agent']))",
  },
  { options: ['getTracker'], refused: "write key: by('client', (request) => request.user?.id) in the module" },
  { options: ['generateKey'], refused: "write key: compose(byIp(), by('handler', (request) => …)) in the module" },
];

/** Option by option: a throttler of @nestjs/throttler 6. @param second the milliseconds of a unit of `ttl`: 1 000 in version 4 */
export function throttlerTable(second = 1): readonly Row[] {
  return [
    { options: ['name'], becomes: 'name', as: nameOfThrottler },
    { options: ['limit'], becomes: 'limit', as: limitOfThrottler },
    { options: ['ttl'], becomes: 'window', as: ttlIn(second) },
    { options: ['skipIf'], refused: 'write skip of the module: (request) => …' },
    { options: ['setHeaders'], refused: 'write headers: [] of the module' },
    ...WITHOUT_EQUAL,
  ];
}

const OWNER = ' of a throttler';

function nameOfThrottler(draft: LimitDraft, { value }: { readonly value: Syntax }): string | undefined {
  const name = constantOf(draft.file, value);
  return typeof name === 'string' ? name : draft.refuse(value, `name${OWNER} is no text of this file`, 'write it here');
}

const limitOfThrottler: Converter = (draft, given) => {
  const hand = 'write limit: (request) => …, which gets the request and no context';
  if (isFunction(given.value)) return draft.refuse(given.property, FUNCTION('limit'), hand);
  return limitText(draft, given, { carrying: { parameters: 0 }, zero: ZERO_LIMIT });
};

const FUNCTION = (name: string) => `${name}${OWNER} is a function, which has no equal`;

/** The window of a `ttl`, which a helper of the library may give. */
function ttlIn(second: number): Converter {
  return (draft, { value, property, name }) => {
    const hand = 'write a plan for each window: docs/guide/plans-and-costs.md#plans';
    if (isFunction(value)) return draft.refuse(property, FUNCTION('ttl'), hand);
    const helper = value.type === 'CallExpression' ? helperOf(draft.file, value.callee as Syntax) : undefined;
    if (helper === undefined) return windowText(draft, { name, value }, { factor: second });
    const [count] = value.arguments as Syntax[];
    if (count) return windowText(draft, { name, value: bare(count) }, { factor: helper });
    return draft.refuse(property, 'ttl is no time', 'choose a window');
  };
}

/** The milliseconds of `seconds` and the others, where they are those of the library. */
function helperOf(file: SourceFile, callee: Syntax): number | undefined {
  const node = bare(callee);
  const use = usesOf(file, importsOf(file, ['@nestjs/throttler'])).find((each) => each.node === node);
  return use && HELPERS[use.exported];
}

/** The throttlers in an array. Undefined, and refused, if one of them is more than a limit. */
export function throttlersIn(draft: LimitDraft, list: Syntax): Throttler[] | undefined {
  const found = (list.elements as (Syntax | null)[]).map((each) => {
    const object = each && bare(each);
    if (object?.type === 'ObjectExpression') return throttlerOf(draft, object, undefined);
    return draft.refuse(each ?? list, 'a throttler is not written here', 'write it here, and run this again');
  });
  return found.every((each) => each !== undefined) && found.length > 0 ? found : undefined;
}

/** A throttler in an object. What it lacks is that of the module. */
export function throttlerOf(draft: LimitDraft, object: Syntax, base: Throttler | undefined): Throttler | undefined {
  const own = readPart(draft, throttlerTable(), object, OWNER);
  return own && wholeThrottler(draft, object, own, base);
}

/** A throttler of what was read, and of what it inherits. */
export function wholeThrottler(
  draft: LimitDraft,
  object: Syntax,
  own: ReadonlyMap<string, string>,
  base?: Throttler,
): Throttler | undefined {
  const given = new Map([...Object.entries(base ?? {}), ...own]);
  const [name = 'default', limit, window] = ['name', 'limit', 'window'].map((each) => given.get(each));
  for (const [option, ours] of [
    ['limit', 'limit'],
    ['ttl', 'window'],
  ] as const) {
    // What the module reads may not be there where its limit is replaced.
    if (own.has(ours) || !base || /^['\d]/.test(base[ours])) continue;
    return draft.refuse(
      object,
      `the ${option} of the module is an expression`,
      `give this throttler its own ${option}`,
    );
  }
  if (limit !== undefined && window !== undefined) return { name, limit, window };
  const what = 'a throttler has no limit or no ttl, and its module was not found';
  return draft.refuse(object, what, 'name the file of the module too');
}

/** True for a limit that the exact log takes. */
export function isLog(limit: string): boolean {
  return Number(limit) <= LONGEST_LOG;
}

/** Our options of a limit with one throttler. */
export function limitOf({ limit, window }: Throttler): readonly (readonly [name: string, text: string])[] {
  // In memory theirs is a log of the hits of each client.
  const algorithm = isLog(limit) ? 'sliding-window-log' : 'fixed-window';
  return [
    ['limit', limit],
    ['window', window],
    ['algorithm', `'${algorithm}'`],
  ];
}
