import { LimitDraft, type Difference, type Unread } from '../limits/limit-draft.js';
import { objectText } from '../limits/layout.js';
import { propertyText } from '../limits/options-writer.js';
import type { Peer, Program, ReadProgram, Run } from '../limits/peer.js';
import { constantOf } from '../source/constant.js';
import type { SourceFile } from '../source/source-file.js';
import { importsOf, usesOf, type Use } from '../source/imports.js';
import { bare, nameOf, type Syntax } from '../source/syntax.js';
import { guardEdits, guardsIn, type FoundGuard } from './nestjs-guard.js';
import { limitOf, throttlerOf, throttlerTable, type Throttler } from './nestjs-limits.js';
import { GUIDE, keyOf, modulesIn, OPTIONS, SHADOW, TARGET, useFunctions, type FoundModule } from './nestjs-module.js';

const NAME = '@nestjs/throttler';

const TWICE: Difference = {
  text: 'A request that meets a guard of the application and one of its handler counts once: each of them counted it.',
  link: `${GUIDE}#behaviour`,
};

/** What all files of an application say together. */
interface Nest {
  readonly modules: readonly FoundModule[];
  readonly throttlers: readonly Throttler[];
  /** The guard that the application uses, if it is one of its own. */
  readonly guard: FoundGuard | undefined;
  /** Guards that it uses, of its own and theirs. */
  readonly used: readonly string[];
  /** Where they stand: before all handlers, before some, or nowhere. */
  readonly places: ReadonlySet<GuardPlace>;
}

type GuardPlace = 'all' | 'some';

/** Names of guards that stand in a list, in `useClass` or as an argument. */
function usedGuards({ files }: Run) {
  const own = files.flatMap(guardsIn);
  const found = new Map<string, Set<GuardPlace>>();
  for (const file of files.filter(({ isTest }) => !isTest)) {
    const theirs = usesOf(file, importsOf(file, [NAME])).filter(({ exported }) => exported === 'ThrottlerGuard');
    // By name, because an import may go through the paths of a workspace.
    const references = own.flatMap(({ name }) => file.referencesOf(name).map((node) => ({ name, node })));
    for (const { name, node } of [
      ...references,
      ...theirs.map((use) => ({ name: 'ThrottlerGuard', node: use.node })),
    ]) {
      const place = placeOf(file, node);
      if (place) found.set(name, (found.get(name) ?? new Set()).add(place));
    }
  }
  const places = new Set([...found.values()].flatMap((each) => [...each]));
  return { guards: own.filter(({ name }) => found.has(name)), used: [...found.keys()], places };
}

/** `useClass: Guard`, `@UseGuards(Guard)`, `app.useGlobalGuards(new Guard())` */
function placeOf(file: SourceFile, node: Syntax): GuardPlace | undefined {
  const parent = file.parentOf(node);
  if (parent?.type === 'NewExpression') return placeOf(file, parent);
  if (parent?.type === 'Property' && parent.value === node)
    return /^use(Class|Existing)$/.test(nameOf(parent) ?? '') ? 'all' : undefined;
  const callee = parent?.type === 'CallExpression' ? nameOfCallee(parent) : '';
  return callee === 'UseGuards' ? 'some' : callee === 'useGlobalGuards' ? 'all' : undefined;
}

function isValue(file: SourceFile, node: Syntax): boolean {
  return placeOf(file, node) !== undefined;
}

function nameOfCallee({ callee }: Syntax): string {
  const inner = bare(callee as Syntax);
  return inner.type === 'MemberExpression' ? (nameOf(inner) ?? '') : String(inner.name);
}

/** True for a file of tests and for those that tests share, whose modules are applications of their own. */
function isOfTests({ isTest, path }: SourceFile): boolean {
  return isTest || /(^|\/)(tests?|__tests__|e2e)\//.test(path);
}

function nestOf({ run, file, uses }: Program): Nest & { readonly own: readonly FoundModule[] } {
  const { guards, used, places } = usedGuards(run);
  const guard = guards.find(({ functions, unread }) => functions.length + unread.length > 0) ?? guards[0];
  const isGuarded = places.size > 0;
  const own = modulesIn(file, uses, { guard, isGuarded });
  const others = run.files
    .filter((each) => each !== file && !isOfTests(each))
    .flatMap((each) => modulesIn(each, usesOf(each, importsOf(each, [NAME])), { guard, isGuarded }));
  const modules = own.length > 0 && isOfTests(file) ? own : [...own, ...others];
  if (modules.length > 1) {
    const hand =
      'keep one, with the limits of the other as @RateLimit of its handlers; for several applications, run this for each';
    for (const { draft } of own)
      draft.refuse(draft.call, 'ThrottlerModule is configured more than once, and RateLimitModule is once', hand);
  }
  if (places.size > 1) for (const { draft } of own) draft.differs(TWICE);
  return { own, modules, guard, used, places, throttlers: modules.flatMap((each) => each.throttlers ?? []) };
}

function read(program: Program): ReadProgram {
  const { file, uses } = program;
  const nest = nestOf(program);
  const drafts = [
    ...nest.own.map(({ draft }) => draft),
    ...guardsIn(file).map((guard) => readClass(program, guard, nest)),
    ...readGuards(program, nest),
    ...uses.flatMap((use) => [...readUse(program, use, nest), ...readDecorator(program, use, nest)]),
  ];
  const needsHelper = drafts.some(({ imports }) => imports.has(`${TARGET} compose`));
  if (needsHelper) {
    const text = helperText(file, keyOf(nest.guard));
    drafts[0]!.edits.push({ start: file.text.length, end: file.text.length, text });
  }
  return { drafts, unread: needsHelper ? takenHelper(file) : [] };
}

/** A class of the program that extends their guard. */
function readClass({ file, run: { names } }: Program, guard: FoundGuard, { modules, used }: Nest): LimitDraft {
  const draft = new LimitDraft({ file, theirs: [], names, call: guard.node });
  const others = used.filter((name) => name !== guard.name);
  const isUsed = used.includes(guard.name);
  if (modules.length === 0) draft.refuse(guard.node, ...NO_MODULE);
  else if (isUsed && guard.functions.length > 0 && others.length > 0) {
    const hand = 'write their differences as limits of handlers, with @RateLimit, and keep one guard';
    draft.refuse(
      guard.node,
      `${[guard.name, ...others].join(' and ')} guard the application, each in its own way`,
      hand,
    );
  } else if (isUsed) draft.unread.push(...guard.unread);
  draft.use(TARGET, 'RateLimitGuard');
  if (isUsed) draft.differs(...guard.differences);
  else if (guard.node.body.body.length > 0) {
    const text = `${guard.name} guards nothing, so its methods are gone: it is a name of RateLimitGuard now.`;
    draft.differs({ text, link: `${GUIDE}#in-whole-programs` });
  }
  // What nothing uses needs no options.
  draft.edits.push(...guardEdits(isUsed ? guard : { ...guard, functions: [] }));
  return draft;
}

const FOLDER = 'name the folder of the application';
const NO_MODULE = ['the ThrottlerModule of this guard was not found in the files of this run', FOLDER] as const;

/** Guards in `providers` and in `@UseGuards`: theirs, and those of the program, which are names of ours then. */
function readGuards({ file, uses, run: { names, files } }: Program, { modules }: Nest): LimitDraft[] {
  const theirs = uses.filter(({ exported, node }) => exported === 'ThrottlerGuard' && !isBase(file, node));
  const own = files
    .flatMap(guardsIn)
    .flatMap(({ name }) => file.referencesOf(name))
    .filter((node) => isValue(file, node));
  return [
    ...theirs.map(({ node }) => ({ node, isTheirs: true })),
    ...own.map((node) => ({ node, isTheirs: false })),
  ].map(({ node, isTheirs }) => {
    const parent = file.parentOf(node)!;
    const draft = new LimitDraft({ file, theirs: [], names, call: node });
    // Our guard without our module stops the start.
    if (modules.length === 0) draft.refuse(node, ...NO_MODULE);
    if (parent.type === 'NewExpression')
      draft.refuse(node, 'a guard is made by new', `write app.useGlobalGuards(app.get(${file.textOf(node)}))`);
    if (isTheirs) {
      draft.use(TARGET, 'RateLimitGuard');
      draft.edits.push({ start: node.start, end: node.end, text: 'RateLimitGuard' });
    } else draft.edits.push({ start: node.start, end: node.end, text: file.textOf(node) });
    const isProvider = parent.type === 'Property' && nameOf(parent) === 'useClass';
    if (isProvider) draft.edits.push({ start: parent.key.start, end: parent.key.end, text: 'useExisting' });
    return draft;
  });
}

function isBase(file: SourceFile, node: Syntax): boolean {
  const parent = file.parentOf(node)!;
  return parent.type.startsWith('Class') || parent.type.startsWith('TS');
}

/** `exports: [ThrottlerModule]` */
function readUse({ file, run: { names } }: Program, { exported, node }: Use, { modules }: Nest): LimitDraft[] {
  if (exported !== 'ThrottlerModule' || file.parentOf(node)?.type !== 'ArrayExpression' || modules.length === 0)
    return [];
  const draft = new LimitDraft({ file, theirs: [], names, call: node });
  draft.use(TARGET, 'RateLimitModule');
  draft.edits.push({ start: node.start, end: node.end, text: 'RateLimitModule' });
  return [draft];
}

/** `@Throttle(…)` and `@SkipThrottle(…)`, also in functions that make decorators. */
function readDecorator({ file, theirs, run: { names } }: Program, { exported, node }: Use, nest: Nest): LimitDraft[] {
  const call = file.parentOf(node);
  if (call?.type !== 'CallExpression' || call.callee !== node || !/^(Skip)?Throttle$/.test(exported)) return [];
  const draft = new LimitDraft({ file, theirs, names, call });
  if (nest.modules.length === 0) {
    draft.refuse(call, 'the ThrottlerModule of this decorator was not found in the files of this run', FOLDER);
    return [draft];
  }
  // What keeps the module keeps its decorators, and is said there.
  if (nest.throttlers.length === 0) {
    draft.use(NAME, exported);
    draft.edits.push({ start: call.start, end: call.end, text: file.textOf(call) });
  } else if (exported === 'Throttle') readThrottle(draft, call, nest);
  else readSkip(draft, call, nest);
  return [draft];
}

function readThrottle(draft: LimitDraft, call: Syntax, nest: Nest): void {
  const { throttlers, modules } = nest;
  const { file } = draft;
  const [first, ttl] = call.arguments as Syntax[];
  const { second } = modules.find((each) => each.throttlers)!;
  if (ttl && second === 1) {
    draft.refuse(
      call,
      'Throttle(limit, ttl) is of version 4, and the module is of a later one',
      'write @Throttle({ default: { limit, ttl } }), ttl in milliseconds, and run this again',
    );
    return;
  }
  const entries = ttl ? [] : entriesIn(call).filter(({ name }) => throttlers.some((each) => each.name === name));
  if (!ttl && entries.length === 0) return drop(draft, call, `@${file.textOf(call)} names no throttler of the module`);
  const around = classAround(file, call);
  if (around && nest.places.size > 0 && !nest.places.has('all') && !mayBeGuarded(file, call, nest.used))
    return drop(draft, call, `no guard of the throttler runs before what @${file.textOf(call)} decorates`);
  if (around && around !== file.parentOf(call) && decoratorsOf(file, around).some((each) => each === 'SkipThrottle'))
    return drop(draft, call, `the class of @${file.textOf(call)} skips its throttlers`);
  if (throttlers.length > 1 && around && isMethodOfThrottled(file, around, call)) {
    draft.refuse(
      call,
      'the class and its handler both have @Throttle, of several throttlers',
      'write @RateLimit on the handlers alone',
    );
    return;
  }
  const replaced = ttl
    ? [oldThrottler(draft, first!, ttl, throttlers[0]!)]
    : entries.map(({ name, value }) =>
        value.type === 'ObjectExpression'
          ? throttlerOf(
              draft,
              value,
              throttlers.find((each) => each.name === name),
            )
          : undefined,
      );
  if (replaced.includes(undefined)) {
    if (draft.unread.length === 0)
      draft.refuse(
        call,
        'the throttler is not an object in this decorator',
        'write it into the decorator, and run this again',
      );
    return;
  }
  writeDecorator(draft, call, replaced as Throttler[], nest);
}

/** True where a guard of these stands before a handler or its class, or may stand in a decorator of the program. */
function mayBeGuarded(file: SourceFile, call: Syntax, guards: readonly string[]): boolean {
  const around = classAround(file, call)!;
  const target = file.parentOf(file.parentOf(call)!)!;
  // A limit of a class needs a guard before each of its handlers, which is looked for as far as decorators tell.
  const targets = target === around ? [around, ...(around.body.body as Syntax[])] : [target, around];
  return targets
    .flatMap(({ decorators = [] }) => decorators as Syntax[])
    .map(({ expression }) => bare(expression as Syntax))
    .some((expression) => mayGuard(file, expression, guards));
}

function mayGuard(file: SourceFile, decorator: Syntax, guards: readonly string[]): boolean {
  const callee = (decorator.callee ?? decorator) as Syntax;
  const names = (text: string) => guards.some((name) => text.includes(name));
  if (callee.name === 'UseGuards') return names(file.textOf(decorator));
  const isOfFramework = importsOf(file, FRAMEWORK).some(({ local }) => local === callee.name);
  if (isOfFramework || callee.name === 'Throttle' || callee.name === 'SkipThrottle') return false;
  const found = file.functionOf(callee);
  return found ? names(found.file.textOf(found.fn)) : !isPackage(file, callee.name as string);
}

const FRAMEWORK = ['@nestjs/common', '@nestjs/swagger', '@nestjs/throttler'];

/** True for a name of a package, which knows no guard of this program. */
function isPackage(file: SourceFile, name: string): boolean {
  return file.nodesOf('ImportDeclaration').some(({ source, specifiers }) => {
    const isOther = !/^[.@~#]?\/|^[.#~]|^src\//.test(source.value as string);
    return isOther && (specifiers as Syntax[]).some(({ local }) => local.name === name);
  });
}

/** `@Throttle(limit, ttl)` of version 4, in seconds. */
function oldThrottler(draft: LimitDraft, limit: Syntax, ttl: Syntax, base: Throttler): Throttler | undefined {
  const [count, seconds] = [limit, ttl].map((each) => constantOf(draft.file, each));
  if (typeof count === 'number' && typeof seconds === 'number')
    return { ...base, limit: String(count), window: `'${seconds}s'` };
  draft.refuse(
    limit,
    'the numbers of @Throttle are not in this file',
    'write them into the decorator, and run this again',
  );
  return undefined;
}

/** A limit of ours for each throttler that is replaced; the others of the module stay. */
function writeDecorator(
  draft: LimitDraft,
  call: Syntax,
  replaced: readonly Throttler[],
  { throttlers, guard, places }: Nest,
): void {
  const { file } = draft;
  const isOfMethod = file.parentOf(file.parentOf(call)!)?.type === 'MethodDefinition';
  const key = keyOf(guard);
  const shared = [
    ...(key || !isOfMethod ? [keyText(key, isOfMethod)] : []),
    ...optionsOf(guard),
    ...(places.size > 0 ? [] : [SHADOW.join(': ')]),
  ];
  draft.use(TARGET, 'RateLimit', ...(isOfMethod ? (key ? ['by'] : []) : ['by', 'compose', ...(key ? [] : ['byIp'])]));
  useFunctions(
    draft,
    guard,
    (guard?.functions ?? []).filter(({ option }) => option !== 'body'),
  );
  const isAll = throttlers.length === replaced.length;
  const named = (each: Throttler) =>
    replaced.length > 1 ? [`name: '${draft.takeName(`${each.name}-${handlerOf(file, call)}`)}'`] : [];
  const isAlone = isAll && replaced.length === 1;
  const limits = replaced.map((each) => {
    const own = limitOf(each).map(([name, text]) => propertyText({ name, text }));
    const options = [...named(each), ...own, ...shared, ...(isAlone ? ['override: true'] : [])];
    return `RateLimit(${objectText(file, call.start + 'RateLimit('.length, options)})`;
  });
  const skips =
    isAll && replaced.length === 1 ? [] : [`SkipRateLimit(${replaced.map(({ name }) => `'${name}'`).join(', ')})`];
  if (skips.length > 0) draft.use(TARGET, 'SkipRateLimit');
  const texts = [...skips, ...limits];
  const parent = file.parentOf(call);
  // A function that makes a decorator makes one.
  const isOne = parent?.type !== 'Decorator' && parent?.type !== 'CallExpression' && texts.length > 1;
  if (isOne && file.declarationsOf('applyDecorators').length === 0) draft.use('@nestjs/common', 'applyDecorators');
  const text = texts.join(parent?.type === 'Decorator' ? '\n  @' : ', ');
  draft.edits.push({ start: call.start, end: call.end, text: isOne ? `applyDecorators(${text})` : text });
}

function keyText(key: string | undefined, isOfMethod: boolean): string {
  return isOfMethod ? `key: by('client', ${key})` : 'key: byHandler()';
}

/** What limits of handlers do not inherit. */
function optionsOf(guard: FoundGuard | undefined): string[] {
  return (guard?.functions ?? []).filter(({ option }) => option === 'skip').map(({ name }) => `skip: ${name}`);
}

function handlerOf(file: SourceFile, call: Syntax): string {
  const owner = file.parentOf(file.parentOf(call)!);
  return (owner?.type === 'MethodDefinition' ? nameOf(owner) : (owner?.id?.name as string | undefined)) ?? 'handlers';
}

/** A decorator without an effect. */
function drop(draft: LimitDraft, call: Syntax, why: string): void {
  const { file } = draft;
  const decorator = file.parentOf(call)!;
  if (decorator.type !== 'Decorator') {
    draft.refuse(call, `${why}, so it does nothing`, 'remove it, and run this again');
    return;
  }
  const difference: Difference = {
    text: `${why.replaceAll(/\s+/g, ' ')}, so it has done nothing, and is gone.`,
    link: `${GUIDE}#behaviour`,
  };
  draft.differs(difference);
  const behind = /^[ \t]*(\r?\n[ \t]*)?/.exec(file.text.slice(decorator.end))![0];
  draft.edits.push({ start: decorator.start, end: decorator.end + behind.length, text: '' });
}

function classAround(file: SourceFile, node: Syntax): Syntax | undefined {
  let outer = file.parentOf(node);
  while (outer && !outer.type.startsWith('ClassD')) outer = file.parentOf(outer);
  return outer;
}

function decoratorsOf(file: SourceFile, { decorators = [] }: Syntax): string[] {
  return (decorators as Syntax[]).map(({ expression }) => file.textOf((expression.callee ?? expression) as Syntax));
}

/** True for a handler of a class that is throttled itself, or for such a class with throttled handlers. */
function isMethodOfThrottled(file: SourceFile, around: Syntax, call: Syntax): boolean {
  const isOfClass = file.parentOf(file.parentOf(call)!) === around;
  const methods = (around.body.body as Syntax[]).flatMap((each) => decoratorsOf(file, each));
  return isOfClass
    ? methods.some((each) => /^(Skip)?Throttle$/.test(each))
    : decoratorsOf(file, around).includes('Throttle');
}

/** Without names theirs skips the throttler without a name alone. */
function readSkip(draft: LimitDraft, call: Syntax, { throttlers, modules }: Nest): void {
  const { file } = draft;
  const entries = entriesIn(call);
  // Version 4 takes a flag: `@SkipThrottle(false)`.
  const flag = modules.some(({ second }) => second !== 1) ? (call.arguments[0] as Syntax | undefined) : undefined;
  if (
    ![...entries.map(({ value }) => value), ...(flag ? [flag] : [])].every((each) => constantOf(file, each) === true)
  ) {
    draft.refuse(call, 'it ends a skip of its class', 'write @SkipRateLimit() on the other handlers, not on the class');
    return;
  }
  const isPlain = call.arguments.length === 0 || flag !== undefined;
  const named = (isPlain ? ['default'] : entries.map(({ name }) => name)).filter((name) =>
    throttlers.some((each) => each.name === name),
  );
  if (named.length === 0) return drop(draft, call, `@${file.textOf(call)} names no throttler of the module`);
  draft.use(TARGET, 'SkipRateLimit');
  const isAll = throttlers.every(({ name }) => named.includes(name));
  const list = isAll ? '' : named.map((name) => `'${name}'`).join(', ');
  draft.edits.push({ start: call.start, end: call.end, text: `SkipRateLimit(${list})` });
}

function entriesIn(call: Syntax): { readonly name: string; readonly value: Syntax }[] {
  const argument = call.arguments[0] && bare(call.arguments[0] as Syntax);
  const properties = (argument?.type === 'ObjectExpression' ? argument.properties : []) as Syntax[];
  return properties.flatMap((each) => {
    const name = each.type === 'Property' ? nameOf(each) : undefined;
    return name === undefined ? [] : [{ name, value: bare(each.value) }];
  });
}

function takenHelper(file: SourceFile): Unread[] {
  return file.declarationsOf('byHandler').map((node) => ({
    line: file.lineOf(node),
    what: 'byHandler is a name that the translation needs',
    hand: 'rename it, and run this again',
  }));
}

/** The route is that of Express, or that of Fastify. */
function helperText({ isTypeScript, text }: SourceFile, key: string | undefined): string {
  return `${text.endsWith('\n') ? '' : '\n'}
/** A budget for each client and handler. */
function byHandler() {
  const handlerOf = (request${isTypeScript ? ': any' : ''}) =>
    \`\${request.method} \${request.route?.path ?? request.routeOptions?.url}\`;
  return compose(${key ? `by('client', ${key})` : 'byIp()'}, by('handler', handlerOf));
}
`;
}

export const nestjsThrottler: Peer = {
  name: NAME,
  companions: ['@nest-lab/throttler-storage-redis', 'nestjs-throttler-storage-redis'],
  target: TARGET,
  guide: GUIDE,
  table: [...OPTIONS, ...throttlerTable()],
  isWhole: () => true,
  reason: '@nestjs/throttler is replaced in all files together',
  isEach: false,
  // A file may name a guard of the program alone.
  isIn: (file, files) =>
    files.flatMap(guardsIn).some(({ name }) => file.referencesOf(name).some((node) => isValue(file, node))),
  types: { ThrottlerModuleOptions: 'RateLimitModuleOptions', ThrottlerAsyncOptions: 'RateLimitModuleAsyncOptions' },
  instead: {
    ThrottlerException: 'write RateLimitException, which has the decision',
    ThrottlerStorageRedisService: 'write redisStore(client), as the store of the module',
    ThrottlerStorage: 'write a store: docs/guide/own-store.md',
    InjectThrottlerStorage: 'write @InjectRateLimiter()',
    ThrottlerLimitDetail: 'write Decision, which a RateLimitException has',
  },
  read,
};
