import { PREFLIGHTS, PROBLEM_BODY, RETRY_AFTER } from '../limits/differences.js';
import { LimitDraft, type Difference } from '../limits/limit-draft.js';
import { TierNames } from '../limits/tier-names.js';
import type { Edit } from '../source/edit.js';
import type { Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, nameOf, returnedBy, type Syntax } from '../source/syntax.js';
import { isLog, limitOf, throttlersIn, type Throttler } from './nestjs-limits.js';

export const TARGET = '@sluice/nestjs';
export const GUIDE = 'docs/guide/migrate-from-nestjs-throttler.md';

const BY_HANDLER: Difference = {
  text: 'byHandler() counts each handler apart, as before. Without it the limit counts all handlers together.',
  link: `${GUIDE}#behaviour`,
};
const NO_BLOCK: Difference = {
  text: 'A denied client waits for its oldest hit to leave the window, and not a whole ttl.',
  link: 'docs/guide/login.md#bans',
};
const EDGE: Difference = {
  text: "A limit that the file does not tell, or above 10 000, counts in fixed windows: 'sliding-window-log' counts each hit.",
  link: 'docs/guide/algorithms.md',
};
const ALL_FILES: Difference = {
  text: 'Decorators of @nestjs/throttler do nothing beside RateLimitGuard: name all files that import it.',
  link: `${GUIDE}#behaviour`,
};
const HEADERS: Difference = { text: 'Headers have no names of throttlers at their ends.', link: `${GUIDE}#behaviour` };

/** A module with limits that a program has. */
export interface FoundModule {
  readonly draft: LimitDraft;
  readonly throttlers: readonly Throttler[] | undefined;
}

/** `ThrottlerModule.forRoot(…)`. */
export function modulesIn(file: SourceFile, uses: readonly Use[]): FoundModule[] {
  const theirs = uses.flatMap(({ imported: { local } }) => local ?? []);
  return uses.flatMap(({ exported, node }) => {
    const member = file.parentOf(node);
    const call = member && file.parentOf(member);
    const isCall = member?.type === 'MemberExpression' && call?.type === 'CallExpression' && call.callee === member;
    if (exported !== 'ThrottlerModule' || !isCall) return [];
    const draft = new LimitDraft({ file, theirs, names: new TierNames(), call });
    const limits = limitsIn(draft, member, call);
    const throttlers = limits && throttlersOfModule(draft, limits);
    if (throttlers) {
      draft.use(TARGET, 'RateLimitModule', 'by', 'byIp', 'compose');
      draft.differs(PREFLIGHTS, PROBLEM_BODY, BY_HANDLER, ALL_FILES);
      draft.differs(...throttlers.map(({ limit }) => (isLog(limit) ? NO_BLOCK : EDGE)), HEADERS);
      if (throttlers.some(({ name }) => name !== 'default')) draft.differs(RETRY_AFTER);
      draft.edits.push({ start: node.start, end: node.end, text: 'RateLimitModule' });
      draft.edits.push(...moduleEdits(file, limits, throttlers));
    }
    return [{ draft, throttlers }];
  });
}

/** The limits of a module: the argument of `forRoot`, or what the factory returns. */
function limitsIn(draft: LimitDraft, member: Syntax, call: Syntax): Syntax | undefined {
  const argument = call.arguments[0] && bare(call.arguments[0] as Syntax);
  if (nameOf(member) === 'forRoot' && argument) return argument;
  const options = argument?.type === 'ObjectExpression' ? (argument.properties as Syntax[]) : [];
  const factory = options.find((each) => nameOf(each) === 'useFactory')?.value as Syntax | undefined;
  const known = options.every((each) => ['imports', 'inject', 'useFactory'].includes(nameOf(each) ?? ''));
  const returned = factory && known && isFunction(bare(factory)) ? returnedBy(bare(factory)) : undefined;
  if (!returned)
    draft.refuse(call, 'the limits of the module are not written here', 'write them here, and run this again');
  return returned;
}

function throttlersOfModule(draft: LimitDraft, limits: Syntax): Throttler[] | undefined {
  if (limits.type === 'ArrayExpression') return throttlersIn(draft, limits);
  const properties = (limits.type === 'ObjectExpression' ? limits.properties : []) as Syntax[];
  const other = properties.find((each) => each.type !== 'Property' || nameOf(each) !== 'throttlers');
  const list = properties.length === 1 && !other ? bare(properties[0]!.value) : undefined;
  if (list?.type === 'ArrayExpression') return throttlersIn(draft, list);
  const what = other?.type === 'Property' ? `${nameOf(other)} has no equal` : 'the throttlers are not written here';
  draft.refuse(other ?? limits, what, 'write it by the guide');
  return undefined;
}

/** The body of an arrow needs parentheses, which an array did not. */
function moduleEdits(file: SourceFile, limits: Syntax, throttlers: readonly Throttler[]): Edit[] {
  const isList = limits.type === 'ArrayExpression';
  const isBody = isList && file.parentOf(limits)?.type === 'ArrowFunctionExpression';
  const [open, close] = isBody ? ['(', ')'] : ['', ''];
  const [only, ...more] = throttlers;
  const named = (each: Throttler) => `name: '${each.name}', ${limitOf(each, 'key: byHandler()')}`;
  if (more.length === 0) {
    const options = only!.name === 'default' ? limitOf(only!, 'key: byHandler()') : named(only!);
    return [{ start: limits.start, end: limits.end, text: `${open}{ ${options} }${close}` }];
  }
  // Each in its place, so that comments and lines stay.
  const [property] = isList ? [] : (limits.properties as Syntax[]);
  const list = property ? bare(property.value) : limits;
  const tiers = (list.elements as Syntax[]).map(({ start, end }, index) => ({
    start,
    end,
    text: `{ ${named(throttlers[index]!)} }`,
  }));
  if (property) return [{ start: property.key.start, end: property.key.end, text: 'tiers' }, ...tiers];
  return [
    { start: list.start, end: list.start, text: `${open}{ tiers: ` },
    ...tiers,
    { start: list.end, end: list.end, text: ` }${close}` },
  ];
}
