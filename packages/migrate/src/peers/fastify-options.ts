import { proxiesNamedBy, ZERO_LIMIT } from '../limits/differences.js';
import type { Difference, GivenOptions, LimitDraft, Row } from '../limits/limit-draft.js';
import { keyRow } from '../limits/key-row.js';
import { clientRow } from '../limits/client-row.js';
import { limitRow } from '../limits/limit-row.js';
import { droppedRow, failureRow, fixedRow, refusedRow } from '../limits/rows.js';
import { durationText, isMilliseconds } from '../limits/window-row.js';
import { branchesOf, isOfEnvironment } from '../source/branches.js';
import { constantOf } from '../source/constant.js';
import { edited } from '../source/edit.js';
import { isFunction, isIn, type Syntax } from '../source/syntax.js';
import { onlyLogs, readBuilder } from './fastify-denial.js';

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

const WINDOW_ELSEWHERE: Difference = {
  text: "A window that the file does not tell must be milliseconds or a text such as '15m': '15 minutes' stops the start.",
  link: GUIDE,
};

const WINDOW_TEXT: Difference = {
  text: "A window of the environment must have its unit: '60000' was milliseconds, and stops the start now; write '60000ms' or '1m'.",
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
  /^(\d+(?:\.\d+)?)\s*(ms|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)?$/i;

/** A time as the plugin reads it: a number of milliseconds, or words such as `1 minute`. */
function millisecondsOf(time: unknown): number | undefined {
  if (typeof time === 'number') return time;
  const [, count, unit = ''] = WORDS.exec(String(time)) ?? [];
  if (count === undefined) return undefined;
  if (unit === '') return Number(count);
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
    {
      options: ['errorResponseBuilder', 'onExceeded'],
      read: (draft, given) => readBuilder(draft, given, inherited === undefined),
    },
    { options: ['enableDraftSpec'], read: readDraft },
    { options: ['global'], read: readGlobal },
    droppedRow(['cache'], CACHE),
    refusedRow('addHeaders', "write headers: ['x-ratelimit'], or [] for none"),
    refusedRow('addHeadersOnExceeding', "write headers: ['x-ratelimit'], or [] for none"),
    refusedRow('ban', 'write a backoff tier: docs/guide/login.md#bans'),
    refusedRow('onBanReach', 'use onDenied'),
    { options: ['onExceeding'], read: readExceeding },
    refusedRow('continueExceeding', "charge: 'all' is close"),
    refusedRow('exponentialBackoff', 'write a backoff tier: docs/guide/login.md'),
    refusedRow('groupId', 'use one limiter on several routes'),
    refusedRow('store', 'use redisStore({ url }), or write a store: docs/guide/own-store.md'),
  ];
}

/** Words that stand in the program become ours: `'1 minute'`. What another file tells stays as it is. */
function readWindow(draft: LimitDraft, { timeWindow: given }: GivenOptions, inherited?: Inherited): void {
  if (!given) return draft.write('window', inherited?.get('window') ?? "'1m'");
  const { file } = draft;
  if (isFunction(file.valueOf(given.value) ?? given.value))
    return draft.refuse(
      given.value,
      'timeWindow is a function',
      'write a plan for each window: docs/guide/plans-and-costs.md#plans',
    );
  const branches = branchesOf(file, given.value);
  const wrong = branches.find(({ value }) => value !== undefined && !isMilliseconds(millisecondsOf(value)));
  if (wrong) {
    const what = `timeWindow ${file.textOf(wrong.node)} is no time of 1 ms to 400 days`;
    return draft.refuse(given.value, what, 'write a window, such as 60_000 or 1 minute, and run this again');
  }
  if (branches.length === 1 && branches[0]!.value !== undefined)
    return draft.write('window', durationText(millisecondsOf(branches[0]!.value)!));
  const own = branches.filter(({ node, value }) => value !== undefined && isIn(node, given.value));
  const edits = own.map(({ node: { start, end }, value }) => ({
    start,
    end,
    text: durationText(millisecondsOf(value)!),
  }));
  if (branches.some(({ value }) => value === undefined))
    draft.differs(isOfEnvironment(file, given.value) ? WINDOW_TEXT : WINDOW_ELSEWHERE);
  const { start, end } = file.typedOf(given.value);
  if (draft.carry(given.value) !== undefined) draft.write('window', edited(file.text, edits, start, end));
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

const EXCEEDING: Difference = {
  text: 'onExceeding, which was called for each admitted request and only logged, is gone: read request.rateLimit.',
  link: GUIDE,
};

/** It is called for each admitted request: a log of it is what nothing else depends on. */
function readExceeding(draft: LimitDraft, { onExceeding: given }: GivenOptions): void {
  if (!given) return;
  const found = draft.file.functionOf(given.value);
  if (found && onlyLogs(found.fn)) return draft.differs(EXCEEDING);
  draft.refuse(given.property, 'onExceeding does more than log', 'read request.rateLimit in a hook behind the limit');
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
  if (list?.type === 'ArrayExpression' && list.elements.length === 0) return;
  const isText = (each: Syntax | null) => each !== null && typeof constantOf(draft.file, each) === 'string';
  const isList = list?.type === 'ArrayExpression' && (list.elements as Syntax[]).every(isText);
  if (!isList)
    return draft.refuse(allowList.property, 'allowList is no list of texts of this file', 'write allow, or skip');
  const isOwn = keyGenerator && draft.outputs.some(({ name }) => name === 'key');
  const key = isOwn ? 'keyGenerator' : keyGenerator ? undefined : inherited?.get('key');
  if (key !== undefined && !key.startsWith('byIp(')) {
    const what = 'the plugin compares allowList with what keyGenerator returns, which is not always the address';
    return draft.refuse(allowList.property, what, 'write skip: (request) => …, which compares the same');
  }
  draft.write('allow', draft.carry(allowList.value)!);
}

function readDraft(draft: LimitDraft, { enableDraftSpec }: GivenOptions): void {
  if (enableDraftSpec && constantOf(draft.file, enableDraftSpec.value) === true) draft.write('headers', "['draft-6']");
}
