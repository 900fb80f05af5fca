import { CLIENT_SETTINGS, PREFLIGHTS, PROBLEM_BODY, RETRY_AFTER, STORE_FAILURE } from '../limits/differences.js';
import { lostComments, objectText } from '../limits/layout.js';
import { LimitDraft, type Difference, type GivenOption, type Row } from '../limits/limit-draft.js';
import { oneOf, readOptions, readPart } from '../limits/option-table.js';
import { optionEdits, propertyText } from '../limits/options-writer.js';
import { TierNames } from '../limits/tier-names.js';
import type { Edit } from '../source/edit.js';
import type { Use } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { constantOf } from '../source/constant.js';
import { bare, isFunction, isIn, nameOf, resultsOf, type Syntax } from '../source/syntax.js';
import { guardModule, requestEdits, type FoundGuard, type GuardFunction } from './nestjs-guard.js';
import {
  isLog,
  limitOf,
  throttlersIn,
  throttlerTable,
  wholeThrottler,
  WITHOUT_EQUAL,
  type Throttler,
} from './nestjs-limits.js';

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
    const found = limits && readModule(draft, limits, { guard, isGuarded });
    if (found) {
      const { throttlers } = found;
      draft.use(TARGET, 'RateLimitModule', 'by', 'compose', ...(keyOf(guard) ? [] : ['byIp']));
      useFunctions(draft, guard, guard?.functions ?? []);
      draft.differs(PREFLIGHTS, BY_HANDLER, ALL_FILES);
      if (!draft.outputs.some(({ name }) => name === 'body')) draft.differs(PROBLEM_BODY);
      draft.differs(...throttlers.map(({ limit }) => (isLog(limit) ? NO_BLOCK : EDGE)), HEADERS);
      if (throttlers.some(({ name }) => name !== 'default')) draft.differs(RETRY_AFTER);
      draft.edits.push({ start: node.start, end: node.end, text: 'RateLimitModule' });
      draft.edits.push(...found.edits);
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

/** What a module limits. */
interface ReadModule {
  readonly throttlers: readonly Throttler[];
  readonly second: number;
  readonly edits: readonly Edit[];
}

/** Option by option, beside the throttlers: @nestjs/throttler 6. */
export const OPTIONS: readonly Row[] = [
  { options: ['storage'], becomes: 'store', as: storeOf },
  { options: ['errorMessage'], becomes: 'body', as: bodyOf },
  {
    options: ['setHeaders'],
    becomes: 'headers',
    as: oneOf({ false: { text: '[]' }, true: {} }, 'depends on a value', 'write headers: [] of the module'),
  },
  { options: ['skipIf'], becomes: 'skip', as: skipOf },
  ...WITHOUT_EQUAL,
];

/** Reads a module: its throttlers alone, with other options, or the one that version 4 has beside them. */
function readModule(draft: LimitDraft, limits: Syntax, guarding: Guarding): ReadModule | undefined {
  if (limits.type === 'ArrayExpression') {
    const throttlers = throttlersIn(draft, limits);
    return throttlers && { throttlers, second: 1, edits: listEdits(draft, limits, throttlers, guarding) };
  }
  const properties = (limits.type === 'ObjectExpression' ? limits.properties : []) as Syntax[];
  const property = properties.find((each) => nameIn(each) === 'throttlers');
  const list = property && bare(property.value as Syntax);
  const isOld = !property && properties.some((each) => nameIn(each) === 'ttl');
  if (!isOld && list?.type !== 'ArrayExpression')
    return draft.refuse(
      limits,
      'the throttlers are not an array in this call',
      'write it into the call, and run this again',
    );
  const before = draft.unread.length;
  const throttlers = isOld ? oldThrottlers(draft, limits) : throttlersIn(draft, list!);
  const write = () => throttlers && writeLimits(draft, list, throttlers, guarding);
  const table: readonly Row[] = [{ options: isOld ? ['ttl', 'limit'] : ['throttlers'], read: write }, ...OPTIONS];
  readOptions(draft, table, limits, ' of the module');
  if (!throttlers || draft.unread.length > before) return undefined;
  if (isOld) draft.differs(VERSION_4);
  return { throttlers, second: isOld ? 1000 : 1, edits: optionEdits(draft, table, limits) };
}

/** The one throttler of version 4, whose time is in seconds. */
function oldThrottlers(draft: LimitDraft, limits: Syntax): readonly Throttler[] | undefined {
  const properties = (limits.properties as Syntax[]).filter((each) => /^(ttl|limit)$/.test(nameIn(each) ?? ''));
  const own = readPart(draft, throttlerTable(1000), { ...limits, properties }, '');
  const throttler = own && wholeThrottler(draft, limits, own);
  return throttler && [throttler];
}

function nameIn(property: Syntax): string | undefined {
  return property.type === 'Property' ? nameOf(property) : undefined;
}

/** Writes the limits of a module, and what the guard of the program says of all of them. */
function writeLimits(
  draft: LimitDraft,
  list: Syntax | undefined,
  throttlers: readonly Throttler[],
  guarding: Guarding,
): void {
  // A store needs names.
  const isNamed = draft.given['storage'] !== undefined;
  if (throttlers.length > 1) draft.write('tiers', listText(draft, list!, throttlers, guarding));
  else for (const [name, text] of tierOf(throttlers[0]!, guarding, isNamed)) draft.write(name, text);
  for (const { option, name } of guarding.guard?.functions ?? []) if (option !== 'key') draft.write(option, name);
}

/** Our options of a throttler in a module. */
function tierOf(throttler: Throttler, { isGuarded }: Guarding, isNamed: boolean): (readonly [string, string])[] {
  return [
    ...(isNamed || throttler.name !== 'default' ? [['name', `'${throttler.name}'`] as const] : []),
    ...limitOf(throttler),
    ['key', 'byHandler()'],
    ...(isGuarded ? [] : [SHADOW]),
  ];
}

/** `new ThrottlerStorageRedisService(client)`, which takes an address or options of ioredis too. */
function storeOf(draft: LimitDraft, { value }: GivenOption): string | undefined {
  const name = value.type === 'NewExpression' ? draft.file.textOf(value.callee as Syntax) : '';
  if (name !== 'ThrottlerStorageRedisService') {
    const hand = 'write store: redisStore(client), or a store: docs/guide/own-store.md';
    return draft.refuse(value, 'the storage is one of the program', hand);
  }
  const [argument] = value.arguments as Syntax[];
  const text = argument ? draft.carry(argument) : '';
  if (text === undefined) return undefined;
  draft.use('@sluice/redis', 'redisStore');
  draft.differs(CLIENT_SETTINGS, STORE_FAILURE);
  if (argument && isAddress(draft.file, bare(argument))) return `redisStore({ url: ${text} })`;
  if (argument && bare(argument).type !== 'ObjectExpression') return `redisStore(${text})`;
  draft.use('ioredis', 'Redis');
  return `redisStore(new Redis(${text}))`;
}

/** True for text, and for names of addresses: `config.get('REDIS_URL')`. */
function isAddress(file: SourceFile, node: Syntax): boolean {
  const isText = typeof constantOf(file, node) === 'string' || /^(TemplateLiteral|BinaryExpression)$/.test(node.type);
  const text = file.textOf(node);
  return isText || text.startsWith('process.env') || (node.type !== 'NewExpression' && /ur[il]['"]?\)?$/i.test(text));
}

function bodyOf(draft: LimitDraft, { value }: GivenOption): string | undefined {
  const hand = 'write body of the module: ({ request, decision }) => …';
  if (isFunction(value)) return draft.refuse(value, 'errorMessage is a function of the context', hand);
  const text = draft.carry(value);
  return text === undefined ? undefined : `{ statusCode: 429, message: ${text} }`;
}

/** One that reads the request of its context, or nothing of it. */
function skipOf(draft: LimitDraft, { value }: GivenOption): string | undefined {
  const { file } = draft;
  const edits = isFunction(value) ? requestEdits(file, value, value.params[0] as Syntax | undefined) : undefined;
  const hand = 'write skip: (request) => …, or @SkipRateLimit() on the handler';
  if (!edits) return draft.refuse(value, 'skipIf reads its context', hand);
  draft.differs(SKIPPED);
  const parameter = edits.length > 0 ? `request${file.isTypeScript ? ': any' : ''}` : '';
  return `(${parameter}) => ${draft.editedText(value.body as Syntax, edits)}`;
}

/** The mode of limits that nothing enforces. */
export const SHADOW = ['mode', "'shadow'"] as const;

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

/** A list of throttlers as the options of our module. */
function listEdits(draft: LimitDraft, list: Syntax, throttlers: readonly Throttler[], guarding: Guarding): Edit[] {
  const { file } = draft;
  const isOne = throttlers.length === 1;
  draft.row = { options: [] };
  writeLimits(draft, list, throttlers, guarding);
  const texts = draft.outputs.map(propertyText);
  const text = isOne ? objectText(file, list.start, texts) : `{ ${texts.join(', ')} }`;
  // The body of an arrow needs parentheses, which an array did not.
  const isBody = file.parentOf(list)?.type === 'ArrowFunctionExpression';
  return [{ start: list.start, end: list.end, text: isBody ? `(${text})` : text, isWithComments: !isOne }];
}

/** Each throttler in its place, so that comments and lines stay. */
function listText(draft: LimitDraft, list: Syntax, throttlers: readonly Throttler[], guarding: Guarding): string {
  const { file } = draft;
  const tiers = (list.elements as Syntax[]).map((element, index) => {
    const texts = tierOf(throttlers[index]!, guarding, true).map(([name, text]) => propertyText({ name, text }));
    const text = objectText(file, element.start, texts);
    const lost = lostComments(file, element, text).map((each) => `/* ${each.value.trim()} */ `);
    return { start: element.start, end: element.end, text: lost.join('') + text };
  });
  return draft.editedText(list, tiers);
}
