import { CLIENT_SETTINGS, PREFLIGHTS, PROBLEM_BODY, RETRY_AFTER, STORE_FAILURE } from '../limits/differences.js';
import { objectText } from '../limits/layout.js';
import { LimitDraft, type Difference } from '../limits/limit-draft.js';
import { TierNames } from '../limits/tier-names.js';
import type { Edit } from '../source/edit.js';
import type { Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { constantOf } from '../source/constant.js';
import { bare, isFunction, isIn, nameOf, resultsOf, type Syntax } from '../source/syntax.js';
import { guardModule, type FoundGuard, type GuardFunction } from './nestjs-guard.js';
import { isLog, limitOf, refuseOption, throttlerOf, throttlersIn, type Throttler } from './nestjs-limits.js';

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

const VERSION_4: Difference = {
  text: 'ttl is in seconds, as in version 4, which takes it beside limit.',
  link: GUIDE,
};
const SKIPPED: Difference = {
  text: 'skipIf gets the request, and no context: a handler is skipped with @SkipRateLimit().',
  link: `${GUIDE}#option-by-option`,
};

/** A module with limits that a program has. */
export interface FoundModule {
  readonly draft: LimitDraft;
  readonly throttlers: readonly Throttler[] | undefined;
  /** Milliseconds of a unit of `ttl`. */
  readonly second: number;
}

/** What guards the handlers of an application. */
export interface Guarding {
  /** The guard of the program, whose methods are options of the module. */
  readonly guard: FoundGuard | undefined;
  /** False where no guard enforces the limits. */
  readonly isGuarded: boolean;
}

/** `ThrottlerModule.forRoot(…)` */
export function modulesIn(file: SourceFile, uses: readonly Use[], { guard, isGuarded }: Guarding): FoundModule[] {
  const theirs = uses.flatMap(({ imported: { local } }) => local ?? []);
  return uses.flatMap(({ exported, node }) => {
    const member = file.parentOf(node);
    const call = member && file.parentOf(member);
    const isCall = member?.type === 'MemberExpression' && call?.type === 'CallExpression' && call.callee === member;
    if (exported !== 'ThrottlerModule' || !isCall) return [];
    const draft = new LimitDraft({ file, theirs, names: new TierNames(), call });
    const limits = limitsIn(draft, member, call);
    const found = limits && readModule(draft, limits);
    if (found) {
      const { throttlers } = found;
      draft.use(TARGET, 'RateLimitModule', 'by', 'compose', ...(keyOf(guard) ? [] : ['byIp']));
      useFunctions(draft, guard, guard?.functions ?? []);
      draft.differs(PREFLIGHTS, PROBLEM_BODY, BY_HANDLER, ALL_FILES);
      draft.differs(...throttlers.map(({ limit }) => (isLog(limit) ? NO_BLOCK : EDGE)), HEADERS);
      if (throttlers.some(({ name }) => name !== 'default')) draft.differs(RETRY_AFTER);
      draft.edits.push({ start: node.start, end: node.end, text: 'RateLimitModule' });
      draft.edits.push(...moduleEdits(file, found, { guard, isGuarded }));
      if (!isGuarded) addGuard(draft, call);
    }
    return [{ draft, throttlers: found?.throttlers, second: found?.second ?? 1 }];
  });
}

/** Imports functions of the guard, unless they are in the file. */
export function useFunctions(
  draft: LimitDraft,
  guard: FoundGuard | undefined,
  functions: readonly GuardFunction[],
): void {
  const module = guard && guardModule(draft.file, guard);
  if (module !== undefined) for (const { name } of functions) draft.use(module, name);
}

/** The function that reads whom a request counts for, in the guard of the program. */
export function keyOf(guard: FoundGuard | undefined): string | undefined {
  return guard?.functions.find(({ option }) => option === 'key')?.name;
}

/** The limits of a module: the argument of `forRoot`, or what the factory returns. */
function limitsIn(draft: LimitDraft, member: Syntax, call: Syntax): Syntax | undefined {
  const argument = call.arguments[0] && bare(call.arguments[0] as Syntax);
  if (nameOf(member) === 'forRoot' && argument) return argument;
  const options = argument?.type === 'ObjectExpression' ? (argument.properties as Syntax[]) : [];
  const factory = options.find((each) => nameOf(each) === 'useFactory');
  const other = options.find((each) => !['imports', 'inject', 'useFactory'].includes(nameOf(each) ?? ''));
  const fn = factory && (factory.method ? factory.value : bare(factory.value as Syntax));
  const [returned, ...more] = fn && isFunction(fn) ? resultsOf(fn) : [];
  if (returned && more.length === 0 && !other) return returned;
  const what = other
    ? `${nameOf(other) ?? 'a spread'} makes the limits of the module`
    : 'the limits of the module are not written in this call';
  draft.refuse(other ?? call, what, 'write useFactory: (config) => ({ throttlers: [ … ] }) in it, and run this again');
  return undefined;
}

/** What a module limits, and what else it says, as options of ours. */
interface ReadModule {
  readonly limits: Syntax;
  /** Undefined for version 4, which has one beside the other options. */
  readonly list: Syntax | undefined;
  readonly throttlers: readonly Throttler[];
  readonly second: number;
  readonly options: ReadonlyMap<Syntax, string>;
}

type OptionReader = (draft: LimitDraft, property: Syntax) => string | undefined;

/** Option by option, beside the throttlers: the text of ours. */
const OPTIONS: Readonly<Record<string, OptionReader | undefined>> = {
  storage: readStorage,
  errorMessage: readMessage,
  setHeaders: ({ file }, { value }) => (constantOf(file, value as Syntax) === false ? 'headers: []' : ''),
  skipIf: readSkipIf,
};

function readModule(draft: LimitDraft, limits: Syntax): ReadModule | undefined {
  if (limits.type === 'ArrayExpression') {
    const throttlers = throttlersIn(draft, limits);
    return throttlers && { limits, list: limits, throttlers, second: 1, options: new Map() };
  }
  const properties = (limits.type === 'ObjectExpression' ? limits.properties : []) as Syntax[];
  const property = properties.find((each) => nameOf(each) === 'throttlers');
  const list = property && bare(property.value as Syntax);
  const isOld = !property && properties.some((each) => nameOf(each) === 'ttl');
  if (!isOld && list?.type !== 'ArrayExpression') {
    draft.refuse(limits, 'the throttlers are not an array in this call', 'write it into the call, and run this again');
    return undefined;
  }
  const options = new Map<Syntax, string>();
  const before = draft.unread.length;
  for (const each of properties) {
    const name = each.type === 'Property' ? nameOf(each) : undefined;
    if (each === property || (isOld && /^(ttl|limit)$/.test(name ?? ''))) continue;
    const text = name === undefined ? undefined : OPTIONS[name]?.(draft, each);
    if (text === undefined) {
      if (draft.unread.length === before) refuseOption(draft, each, name);
    } else options.set(each, text);
  }
  const old = isOld ? throttlerOf(draft, limits, undefined, { second: 1000, others: Object.keys(OPTIONS) }) : undefined;
  const throttlers = old ? [old] : list && throttlersIn(draft, list);
  if (!throttlers || draft.unread.length > before) return undefined;
  if (isOld) draft.differs(VERSION_4);
  return { limits, list: isOld ? undefined : list, throttlers, second: isOld ? 1000 : 1, options };
}

/** `new ThrottlerStorageRedisService(client)`, which takes an address or options of ioredis too. */
function readStorage(draft: LimitDraft, { value }: Syntax): string | undefined {
  const made = bare(value as Syntax);
  const name = made.type === 'NewExpression' ? draft.file.textOf(made.callee as Syntax) : '';
  if (name !== 'ThrottlerStorageRedisService') {
    draft.refuse(
      made,
      'the storage is one of the program',
      'write store: redisStore(client), or a store: docs/guide/own-store.md',
    );
    return undefined;
  }
  const [argument] = made.arguments as Syntax[];
  const text = argument ? draft.carry(argument) : '';
  if (text === undefined) return undefined;
  draft.use('@sluice/redis', 'redisStore');
  draft.differs(CLIENT_SETTINGS, STORE_FAILURE);
  const isText = argument && typeof constantOf(draft.file, argument) === 'string';
  if (isText) return `store: redisStore({ url: ${text} })`;
  if (argument && bare(argument).type !== 'ObjectExpression') return `store: redisStore(${text})`;
  draft.use('ioredis', 'Redis');
  return `store: redisStore(new Redis(${text}))`;
}

function readMessage(draft: LimitDraft, { value }: Syntax): string | undefined {
  if (isFunction(bare(value as Syntax))) {
    draft.refuse(
      value as Syntax,
      'errorMessage is a function of the context',
      'write body of the module: ({ request, decision }) => …',
    );
    return undefined;
  }
  const text = draft.carry(value as Syntax);
  return text === undefined ? undefined : `body: { statusCode: 429, message: ${text} }`;
}

/** One that reads the request of its context, or nothing of it. */
function readSkipIf(draft: LimitDraft, { value }: Syntax): string | undefined {
  const fn = bare(value as Syntax);
  const [context] = isFunction(fn) ? (fn.params as Syntax[]) : [];
  const name = context && (bare(context).name as string | undefined);
  const hand = 'write skip: (request) => …, or @SkipRateLimit() on the handler';
  if (!isFunction(fn) || (context && name === undefined)) {
    draft.refuse(fn, 'skipIf reads its context', hand);
    return undefined;
  }
  const { file } = draft;
  const edits = file.referencesIn(fn, name ?? '').flatMap((reference) => {
    const chain = /^\s*\.switchToHttp\(\)\s*\.getRequest(<[^()]*>)?\(\)/.exec(file.text.slice(reference.end));
    return chain ? [{ start: reference.start, end: reference.end + chain[0].length, text: 'request' }] : [];
  });
  const isRead = edits.length > 0;
  if (name !== undefined && edits.length < file.referencesIn(fn, name).length) {
    draft.refuse(fn, 'skipIf reads its context', hand);
    return undefined;
  }
  draft.differs(SKIPPED);
  const parameter = isRead ? `request${file.isTypeScript ? ': any' : ''}` : '';
  return `skip: (${parameter}) => ${draft.editedText(fn.body as Syntax, edits)}`;
}

/** The mode of limits that nothing enforces. */
export const SHADOW = "mode: 'shadow'";

const UNGUARDED: Difference = {
  text: "No guard enforces these limits, so they deny nothing, and mode: 'shadow' keeps it so: remove it to enforce them.",
  link: 'docs/reference/tiers.md#mode',
};

/** Our module stops the start where no guard enforces its limits: the guard that the program lacks. */
function addGuard(draft: LimitDraft, call: Syntax): void {
  const { file } = draft;
  const metadata = file
    .nodesOf('CallExpression')
    .find(({ callee, arguments: [first] }) => callee.name === 'Module' && first && isIn(call, first as Syntax));
  const [object] = (metadata?.arguments ?? []) as Syntax[];
  if (object?.type !== 'ObjectExpression') {
    const hand = 'provide { provide: APP_GUARD, useClass: ThrottlerGuard } in a module, and run this again';
    return draft.refuse(call, 'no guard enforces the limits of the module, which stops the start of ours', hand);
  }
  draft.differs(UNGUARDED);
  draft.use(TARGET, 'RateLimitGuard');
  if (file.declarationsOf('APP_GUARD').length === 0) draft.use('@nestjs/core', 'APP_GUARD');
  const text = '{ provide: APP_GUARD, useExisting: RateLimitGuard }';
  const properties = object.properties as Syntax[];
  const list = properties.find((each) => nameOf(each) === 'providers')?.value as Syntax | undefined;
  const last = (list?.type === 'ArrayExpression' ? list.elements : []) as Syntax[];
  const end = list?.type === 'ArrayExpression' ? (last.at(-1)?.end ?? list.end - 1) : properties.at(-1)!.end;
  const added = list?.type === 'ArrayExpression' ? text : `providers: [${text}]`;
  if (list && list.type !== 'ArrayExpression')
    return draft.refuse(list, 'the providers of the module are not written here', `add ${text}`);
  draft.edits.push({ start: end, end, text: list && last.length === 0 ? added : `, ${added}` });
}

/** The body of an arrow needs parentheses, which an array did not. */
function moduleEdits(file: SourceFile, module: ReadModule, { guard, isGuarded }: Guarding): Edit[] {
  const { limits, list, throttlers, options } = module;
  const isList = limits.type === 'ArrayExpression';
  const isBody = isList && file.parentOf(limits)?.type === 'ArrowFunctionExpression';
  const [open, close] = isBody ? ['(', ')'] : ['', ''];
  const [only, ...more] = throttlers;
  const hasStore = [...options.values()].some((text) => text.startsWith('store:'));
  const own = ['key: byHandler()', ...(isGuarded ? [] : [SHADOW])];
  const named = (each: Throttler) => [`name: '${each.name}'`, ...limitOf(each, ...own)];
  const added = (guard?.functions ?? [])
    .filter(({ option }) => option !== 'key')
    .map(({ option, name }) => `${option}: ${name}`);
  if (more.length === 0) {
    const limit = only!.name === 'default' && !hasStore ? limitOf(only!, ...own) : named(only!);
    const texts = [...limit, ...options.values(), ...added].filter((each) => each !== '');
    return [{ start: limits.start, end: limits.end, text: `${open}${objectText(file, limits.start, texts)}${close}` }];
  }
  // Each in its place, so that comments and lines stay.
  const tiers = (list!.elements as Syntax[]).map(({ start, end }, index) => ({
    start,
    end,
    text: objectText(file, start, named(throttlers[index]!)),
  }));
  const rest = added.map((each) => `, ${each}`).join('');
  if (isList) {
    return [
      { start: list!.start, end: list!.start, text: `${open}{ tiers: ` },
      ...tiers,
      { start: list!.end, end: list!.end, text: `${rest} }${close}` },
    ];
  }
  const property = (limits.properties as Syntax[]).find((each) => nameOf(each) === 'throttlers')!;
  return [
    { start: property.key.start, end: property.key.end, text: 'tiers' },
    ...tiers,
    { start: list!.end, end: list!.end, text: rest },
    ...[...options].map(([{ start, end }, text]) => ({ start, end, text })),
  ];
}
