import { LimitDraft, type Unread } from '../limits/limit-draft.js';
import type { Peer, Program, ReadProgram } from '../limits/peer.js';
import { constantOf } from '../source/constant.js';
import type { SourceFile } from '../source/source-file.js';
import { importsOf, usesOf, type Use } from '../source/imports.js';
import { bare, nameOf, type Syntax } from '../source/syntax.js';
import { limitOf, throttlerOf, type Throttler } from './nestjs-limits.js';
import { GUIDE, modulesIn, TARGET } from './nestjs-module.js';

const NAME = '@nestjs/throttler';

function read(program: Program): ReadProgram {
  const { file, uses } = program;
  const own = modulesIn(file, uses);
  const others = program.run.files
    .filter((each) => each !== file)
    .flatMap((each) => modulesIn(each, usesOf(each, importsOf(each, [NAME]))));
  const modules = [...own, ...others];
  const throttlers = modules.flatMap((each) => each.throttlers ?? []);
  const drafts = [
    ...own.map(({ draft }) => draft),
    ...uses.flatMap((use) => readGuard(program, use, modules.length > 0)),
    ...uses.flatMap((use) => readDecorator(program, use, throttlers)),
  ];
  const needsHelper = drafts.some(({ imports }) => imports.has(`${TARGET} compose`));
  if (needsHelper) drafts[0]!.edits.push({ start: file.text.length, end: file.text.length, text: helperText(file) });
  return { drafts, unread: needsHelper ? takenHelper(file) : [] };
}

/** A guard in `providers` or in `@UseGuards`. */
function readGuard({ file, run: { names } }: Program, { exported, node }: Use, hasModule: boolean): LimitDraft[] {
  const parent = file.parentOf(node);
  if (exported !== 'ThrottlerGuard' || !parent) return [];
  const isProvider = parent.type === 'Property' && nameOf(parent) === 'useClass';
  const isUsed = parent.type === 'CallExpression' && bare(parent.callee).name === 'UseGuards';
  if (!isProvider && !isUsed) return [];
  const draft = new LimitDraft({ file, theirs: [], names, call: node });
  // Our guard without our module stops the start.
  if (!hasModule) {
    draft.refuse(node, 'the ThrottlerModule of this guard was not found', 'name its file too');
    return [draft];
  }
  draft.use(TARGET, 'RateLimitGuard');
  draft.edits.push({ start: node.start, end: node.end, text: 'RateLimitGuard' });
  if (isProvider) draft.edits.push({ start: parent.key.start, end: parent.key.end, text: 'useExisting' });
  return [draft];
}

/** `@Throttle(…)` and `@SkipThrottle(…)`. */
function readDecorator(
  { file, theirs, run: { names } }: Program,
  { exported, node }: Use,
  throttlers: readonly Throttler[],
): LimitDraft[] {
  const call = file.parentOf(node);
  const decorator = call && file.parentOf(call);
  if (call?.type !== 'CallExpression' || decorator?.type !== 'Decorator') return [];
  const draft = new LimitDraft({ file, theirs, names, call });
  const isOfClass = file.parentOf(decorator)!.type.startsWith('Class');
  if (exported === 'Throttle') readThrottle(draft, call, throttlers, isOfClass);
  else if (exported === 'SkipThrottle') readSkip(draft, call, throttlers);
  else return [];
  return [draft];
}

function readThrottle(draft: LimitDraft, call: Syntax, throttlers: readonly Throttler[], isOfClass: boolean): void {
  const [entry, ...more] = entriesIn(call);
  const [base, ...others] = throttlers;
  if (!entry || more.length > 0 || others.length > 0 || !base || entry.name !== base.name) {
    return draft.refuse(
      call,
      'the throttlers are several, or were not found',
      'name the file of the module, or write tiers by the guide',
    );
  }
  const throttler = entry.value.type === 'ObjectExpression' ? throttlerOf(draft, entry.value, base) : undefined;
  if (!throttler) return draft.refuse(call, 'the throttler is not written here', 'write it here, and run this again');
  draft.use(TARGET, 'RateLimit', ...(isOfClass ? ['by', 'byIp', 'compose'] : []));
  const text = limitOf(throttler, ...(isOfClass ? ['key: byHandler()'] : []), 'override: true');
  draft.edits.push({ start: call.start, end: call.end, text: `RateLimit({ ${text} })` });
}

/** Without names theirs skips the throttler without a name alone. */
function readSkip(draft: LimitDraft, call: Syntax, throttlers: readonly Throttler[]): void {
  const entries = entriesIn(call);
  const isOn = entries.every(({ value }) => constantOf(draft.file, value) === true);
  const named = call.arguments.length === 0 ? ['default'] : entries.map(({ name }) => name);
  const isKnown = named.every((name) => throttlers.some((each) => each.name === name));
  if (!isOn || !isKnown || named.length === 0) {
    return draft.refuse(
      call,
      'it skips no throttler that was found, or ends a skip',
      'write @SkipRateLimit, or @RateLimit',
    );
  }
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
function helperText({ isTypeScript, text }: SourceFile): string {
  return `${text.endsWith('\n') ? '' : '\n'}
/** A budget for each client and handler. */
function byHandler() {
  const handlerOf = (request${isTypeScript ? ': any' : ''}) =>
    \`\${request.method} \${request.route?.path ?? request.routeOptions?.url}\`;
  return compose(byIp(), by('handler', handlerOf));
}
`;
}

export const nestjsThrottler: Peer = {
  name: NAME,
  companions: ['@nest-lab/throttler-storage-redis'],
  target: TARGET,
  guide: GUIDE,
  isWhole: () => true,
  reason: '@nestjs/throttler is replaced in all files together',
  isEach: false,
  instead: {
    ThrottlerGuard: 'write RateLimitGuard, and getTracker as the key of the module',
    ThrottlerException: 'write RateLimitException, which has the decision',
    ThrottlerStorage: 'write a store: docs/guide/own-store.md',
    InjectThrottlerStorage: 'write @InjectRateLimiter()',
    ThrottlerModuleOptions: 'write RateLimitModuleOptions',
  },
  read,
};
