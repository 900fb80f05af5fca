import type { LimitDraft } from '../limits/limit-draft.js';
import { durationText, isMilliseconds } from '../limits/rows.js';
import { constantOf } from '../source/source-file.js';
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
export function throttlerOf(draft: LimitDraft, object: Syntax, base: Throttler | undefined): Throttler | undefined {
  const before = draft.unread.length;
  let { name = 'default', limit, window } = base ?? ({} as Partial<Throttler>);
  for (const property of object.properties as Syntax[]) {
    const option = property.type === 'Property' ? nameOf(property) : undefined;
    const value = property.type === 'Property' ? bare(property.value) : property;
    if (option === 'name' && typeof constantOf(draft.file, value) === 'string')
      name = String(constantOf(draft.file, value));
    else if (option === 'limit' && !isFunction(value)) limit = limitText(draft, value);
    else if (option === 'ttl' && !isFunction(value)) window = windowText(draft, value);
    else draft.refuse(property, `${option ?? 'a spread'} of a throttler has no equal`, 'write it by the guide');
  }
  if (draft.unread.length > before) return undefined;
  if (limit !== undefined && window !== undefined) return { name, limit, window };
  draft.refuse(
    object,
    'a throttler has no limit or no ttl, and its module was not found',
    'name the file of the module too',
  );
  return undefined;
}

function limitText(draft: LimitDraft, value: Syntax): string | undefined {
  const limit = constantOf(draft.file, value);
  if (limit === undefined || (Number.isSafeInteger(limit) && Number(limit) >= 1)) return draft.carry(value);
  draft.refuse(value, 'limit is no whole number of at least 1', 'to deny all, write limit: () => 0');
  return undefined;
}

function windowText(draft: LimitDraft, value: Syntax): string | undefined {
  const size = value.type === 'CallExpression' ? HELPERS[value.callee.name as string] : undefined;
  const count = size === undefined ? undefined : constantOf(draft.file, value.arguments[0]);
  const time = typeof count === 'number' ? count * size! : constantOf(draft.file, value);
  if (isMilliseconds(time)) return durationText(time);
  if (time === undefined) return draft.carry(value);
  draft.refuse(value, 'ttl is no time of 1 ms to 400 days', 'choose a window');
  return undefined;
}

/** True for a limit that the exact log takes. */
export function isLog(limit: string): boolean {
  return Number(limit) <= LONGEST_LOG;
}

/** The options of a limit with one throttler, as text. @param more further options */
export function limitOf({ limit, window }: Throttler, ...more: readonly string[]): string {
  // In memory theirs is a log of the hits of each client.
  const algorithm = isLog(limit) ? 'sliding-window-log' : 'fixed-window';
  return [`limit: ${limit}`, `window: ${window}`, `algorithm: '${algorithm}'`, ...more].join(', ');
}
