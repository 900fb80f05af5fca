import { PROBLEM_BODY, proxiesNamedBy, ZERO_LIMIT } from '../limits/differences.js';
import type { Difference, GivenOption, GivenOptions, LimitDraft, Row } from '../limits/limit-draft.js';
import { keyRow } from '../limits/key-row.js';
import { clientRow } from '../limits/client-row.js';
import { limitRow } from '../limits/limit-row.js';
import { droppedRow, failureRow, fixedRow, refusedRow } from '../limits/rows.js';
import { durationText, isMilliseconds } from '../limits/window-row.js';
import { constantOf } from '../source/constant.js';
import { edited, type Edit } from '../source/edit.js';
import { isFunction, nameOf, returnedBy, type Syntax } from '../source/syntax.js';

export const TARGET = '@sluice/fastify';
export const GUIDE = 'docs/guide/migrate-from-fastify-rate-limit.md';

const CACHE: Difference = {
  text: 'One bound of keys for all limits: memoryStore({ maxKeys }).',
  link: 'docs/guide/memory.md#bound',
};

const TEXT: Difference = {
  text: 'A number in text, as the environment has it, counts: @fastify/rate-limit takes 1000 instead.',
  link: GUIDE,
};

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const WORDS =
  /^(\d+(?:\.\d+)?)\s*(ms|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/i;

/** A time as the plugin reads it: a number of milliseconds, or words such as `1 minute`. */
function millisecondsOf(time: unknown): number | undefined {
  if (typeof time === 'number') return time;
  const [, count, unit = ''] = WORDS.exec(String(time)) ?? [];
  if (count === undefined) return undefined;
  return (
    Number(count) *
    UNITS[
      /^mi?l?l?i?s/i.test(unit) && unit.toLowerCase() !== 'min' && unit.toLowerCase() !== 'mins'
        ? 'ms'
        : unit[0]!.toLowerCase()
    ]!
  );
}

/** What a limit has by default: the options of the plugin, for those of routes. */
export type Inherited = ReadonlyMap<string, string>;

const HOOKS = ['onRequest', 'preValidation', 'preHandler'];

/** Option by option: @fastify/rate-limit 11. @param inherited for the limit of a route or a hook */
export function tableOf(inherited?: Inherited): readonly Row[] {
  return [
    { options: ['timeWindow'], read: (draft, given) => readWindow(draft, given, inherited) },
    fixedRow('algorithm', "'fixed-window'"),
    limitRow(['max'], {
      byDefault: inherited?.get('limit') ?? 1000,
      carrying: { parameters: 1 },
      zero: ZERO_LIMIT,
      text: TEXT,
    }),
    { options: ['hook'], read: readHook },
    keyRow({
      type: "import('fastify').FastifyRequest",
      target: TARGET,
      generator: 'keyGenerator',
      subnet: 'ipv6Subnet',
      inherited: inherited?.get('key'),
      proxies: proxiesNamedBy('with trustProxy of Fastify({ … })'),
    }),
    { options: ['allowList'], read: (draft, given) => readAllowList(draft, given, inherited) },
    clientRow({ client: 'redis', prefix: 'nameSpace', isNamed: inherited === undefined }),
    failureRow('skipOnError'),
    { options: ['errorResponseBuilder'], read: (draft, given) => readBuilder(draft, given, inherited) },
    { options: ['enableDraftSpec'], read: readDraft },
    { options: ['global'], read: readGlobal },
    droppedRow(['cache'], CACHE),
    refusedRow('addHeaders', "write headers: ['x-ratelimit'], or [] for none"),
    refusedRow('addHeadersOnExceeding', "write headers: ['x-ratelimit'], or [] for none"),
    refusedRow('ban', 'write a backoff tier: docs/guide/login.md#bans'),
    refusedRow('onBanReach', 'use onDenied'),
    refusedRow('onExceeding', 'read request.rateLimit'),
    refusedRow('onExceeded', 'use onDenied'),
    refusedRow('continueExceeding', "charge: 'all' is close"),
    refusedRow('exponentialBackoff', 'write a backoff tier: docs/guide/login.md'),
    refusedRow('groupId', 'use one limiter on several routes'),
    refusedRow('store', 'use redisStore({ url }), or write a store: docs/guide/own-store.md'),
  ];
}

function readWindow(draft: LimitDraft, { timeWindow: given }: GivenOptions, inherited?: Inherited): void {
  if (!given) return draft.write('window', inherited?.get('window') ?? "'1m'");
  const time = constantOf(draft.file, given.value);
  const milliseconds = time === undefined ? undefined : millisecondsOf(time);
  if (isMilliseconds(milliseconds)) return draft.write('window', durationText(milliseconds));
  draft.refuse(given.value, 'timeWindow is no time that is written in this file', "write window: '1m'");
}

function readHook(draft: LimitDraft, { hook }: GivenOptions): void {
  if (!hook) return;
  const name = constantOf(draft.file, hook.value);
  if (HOOKS.includes(String(name))) draft.write('hook', `'${name}'`);
  else draft.refuse(hook.property, 'hook is another one', `choose one of ${HOOKS.join(', ')}`);
}

function readGlobal(draft: LimitDraft, { global }: GivenOptions): void {
  if (!global) return;
  const isGlobal = constantOf(draft.file, global.value);
  if (typeof isGlobal !== 'boolean') draft.refuse(global.property, 'global depends on a value', 'write true or false');
  else if (!isGlobal) draft.write('global', 'false');
}

/** Addresses, or a function of the request. Theirs are keys, which are addresses by default. */
function readAllowList(draft: LimitDraft, { allowList, keyGenerator }: GivenOptions, inherited?: Inherited): void {
  if (!allowList) {
    for (const name of ['allow', 'skip']) if (inherited?.has(name)) draft.write(name, inherited.get(name)!);
    return;
  }
  const list = draft.file.valueOf(allowList.value);
  if (list && isFunction(list)) {
    const text = draft.carryFunction(allowList, { parameters: 1 });
    if (text !== undefined) draft.write('skip', text);
    return;
  }
  const isText = (each: Syntax | null) => each !== null && typeof constantOf(draft.file, each) === 'string';
  const isList = list?.type === 'ArrayExpression' && (list.elements as Syntax[]).every(isText);
  if (!isList)
    return draft.refuse(allowList.property, 'allowList is no list of texts of this file', 'write allow, or skip');
  const key = keyGenerator ? 'keyGenerator' : inherited?.get('key');
  if (key !== undefined && !key.startsWith('byIp(')) {
    const what = 'the plugin compares allowList with what keyGenerator returns, which is not always the address';
    return draft.refuse(allowList.property, what, 'write skip: (request) => …, which compares the same');
  }
  draft.write('allow', draft.carry(allowList.value)!);
}

function readDraft(draft: LimitDraft, { enableDraftSpec }: GivenOptions): void {
  if (enableDraftSpec && constantOf(draft.file, enableDraftSpec.value) === true) draft.write('headers', "['draft-6']");
}

const BODY_HAND = 'write body: ({ decision }) => …';

/** A function that returns the body of a 429. */
function readBuilder(draft: LimitDraft, { errorResponseBuilder: given }: GivenOptions, inherited?: Inherited): void {
  if (!given) {
    if (!inherited) draft.differs(PROBLEM_BODY);
    return;
  }
  const { file } = draft;
  const fn = file.valueOf(given.value);
  const object = fn && fn === given.value && isFunction(fn) ? returnedBy(fn) : undefined;
  const [request, context] = (fn?.params ?? []) as Syntax[];
  const status = object?.type === 'ObjectExpression' ? statusIn(draft, object, context) : undefined;
  const edits = object && context ? contextEdits(draft, given, context) : [];
  if (!object || !edits || status !== 429) {
    return draft.refuse(given.property, 'errorResponseBuilder returns no object with statusCode 429', BODY_HAND);
  }
  const text = draft.carry(object);
  if (text === undefined) return;
  const isRead = request && !draft.isUnused(fn!, request);
  const names = [
    isRead ? (request.name === 'request' ? 'request' : `request: ${request.name}`) : '',
    edits.length > 0 ? 'decision' : '',
  ];
  const parameter = names.some((each) => each !== '') ? `{ ${names.filter((each) => each !== '').join(', ')} }` : '';
  draft.write('body', `(${parameter}) => (${edited(file.text, edits, object.start, object.end)})`);
}

function statusIn(draft: LimitDraft, object: Syntax, context: Syntax | undefined): unknown {
  const status = (object.properties as Syntax[]).find(
    (each) => each.type === 'Property' && nameOf(each) === 'statusCode',
  );
  if (!status) return undefined;
  const isTheirs = context && draft.file.textOf(status.value) === `${context.name}.statusCode`;
  return isTheirs ? 429 : constantOf(draft.file, status.value);
}

const FIELDS: Readonly<Record<string, string>> = {
  statusCode: '429',
  max: 'decision.binding?.limit',
  ttl: 'decision.retryAfter',
  after: '`${Math.ceil(decision.retryAfter / 1000)} seconds`',
};

/** What a body reads of the limit. Undefined if it is more than a decision has. */
function contextEdits({ file }: LimitDraft, { value }: GivenOption, context: Syntax): Edit[] | undefined {
  const edits: Edit[] = [];
  for (const reference of file.referencesIn(value, context.name as string)) {
    const member = file.parentOf(reference)!;
    const text =
      member.type === 'MemberExpression' && member.object === reference ? FIELDS[nameOf(member) ?? ''] : undefined;
    if (text === undefined) return undefined;
    edits.push({ start: member.start, end: member.end, text });
  }
  return edits;
}
