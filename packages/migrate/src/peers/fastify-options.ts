import { CLIENT_SETTINGS, proxiesNamedBy, STORE_FAILURE, ZERO_LIMIT } from '../limits/differences.js';
import type { Difference, GivenOption, GivenOptions, LimitDraft, Row } from '../limits/limit-draft.js';
import { keyRow } from '../limits/key-row.js';
import { countOf } from '../limits/count.js';
import { durationText, isMilliseconds, UNITS } from '../limits/duration.js';
import { prefixText } from '../limits/key-space.js';
import { oneOf, storeFailure } from '../limits/option-table.js';
import { clientSeen, redisStoreText } from '../limits/redis-client.js';
import { branchesOf, isNothing, isOfEnvironment, mayBeAbsent } from '../source/branches.js';
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

const WORDS =
  /^(\d+(?:\.\d+)?)\s*(ms|millis|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)?$/i;

/** A time as the plugin reads it: a number of milliseconds, or words such as `1 minute`. */
function millisecondsOf(time: unknown): number | undefined {
  if (typeof time === 'number') return time;
  const [, count, unit = ''] = WORDS.exec(String(time)) ?? [];
  if (count === undefined) return undefined;
  const isMillisecond = unit === '' || /^(ms|mil)/i.test(unit);
  return Number(count) * (isMillisecond ? 1 : UNITS[unit[0]!.toLowerCase() as keyof typeof UNITS]);
}

/** What a limit has by default: the options of the plugin, for those of routes. */
export type Inherited = ReadonlyMap<string, string>;

/** Option by option: @fastify/rate-limit 11. @param inherited for the limit of a route or a hook */
export function tableOf(inherited?: Inherited): readonly Row[] {
  return [
    { options: ['timeWindow'], becomes: 'window', as: windowOf, otherwise: inherited?.get('window') ?? "'1m'" },
    { options: [], becomes: 'algorithm', otherwise: "'fixed-window'" },
    {
      options: ['max'],
      becomes: 'limit',
      as: countOf({
        byDefault: inherited ? undefined : 1000,
        carrying: { parameters: 1 },
        zero: ZERO_LIMIT,
        text: TEXT,
      }),
      otherwise: inherited?.get('limit') ?? '1000',
    },
    {
      options: ['hook'],
      becomes: 'hook',
      as: oneOf(
        {
          onRequest: { text: "'onRequest'" },
          preValidation: { text: "'preValidation'" },
          preHandler: { text: "'preHandler'" },
        },
        'is another one',
        'choose one of onRequest, preValidation, preHandler',
      ),
    },
    keyRow({
      type: "import('fastify').FastifyRequest",
      target: TARGET,
      generator: 'keyGenerator',
      subnet: 'ipv6Subnet',
      inherited: inherited?.get('key'),
      proxies: proxiesNamedBy('with trustProxy of Fastify({ … })'),
    }),
    { options: ['allowList'], read: (draft, given) => readAllowList(draft, given, inherited) },
    { options: ['redis', 'nameSpace'], read: (draft, given) => readRedis(draft, given, inherited === undefined) },
    { options: ['skipOnError'], becomes: 'onStoreFailure', as: storeFailure },
    {
      options: ['errorResponseBuilder', 'onExceeded'],
      read: (draft, given) => readBuilder(draft, given, inherited === undefined),
    },
    {
      options: ['enableDraftSpec'],
      becomes: 'headers',
      as: oneOf({ true: { text: "['draft-6']" }, false: {} }, 'depends on a value', "write headers: ['draft-6']"),
    },
    {
      options: ['global'],
      becomes: 'global',
      as: oneOf({ true: {}, false: { text: 'false' } }, 'depends on a value', 'write true or false'),
    },
    { options: ['cache'], note: CACHE },
    { options: ['addHeaders', 'addHeadersOnExceeding'], refused: "write headers: ['x-ratelimit'], or [] for none" },
    {
      options: ['ban'],
      refused: "write a tier with algorithm: 'backoff' and charge: 'denied': docs/guide/login.md#bans",
    },
    { options: ['onBanReach'], refused: 'write onDenied, which is called for each denial' },
    { options: ['onExceeding'], as: logOf },
    { options: ['continueExceeding'], refused: "write charge: 'all', which counts denied requests up to the limit" },
    { options: ['exponentialBackoff'], refused: "write algorithm: 'backoff' with delays: docs/guide/login.md" },
    {
      options: ['groupId'],
      refused:
        'write one hook, app.rateLimit({ … }), for these routes: docs/guide/fastify.md#hooks-and-a-plugin-without-a-limit',
    },
    { options: ['store'], refused: 'write redisStore({ url }), or a store of your own: docs/guide/own-store.md' },
  ];
}

/** Words that stand in the program become ours: `'1 minute'`. What another file tells stays as it is. */
function windowOf(draft: LimitDraft, { value }: GivenOption): string | undefined {
  const { file } = draft;
  if (isFunction(file.valueOf(value) ?? value)) {
    const hand = 'write a plan for each window: docs/guide/plans-and-costs.md#plans';
    return draft.refuse(value, 'timeWindow is a function', hand);
  }
  const branches = branchesOf(file, value);
  const wrong = branches.find((branch) => branch.value !== undefined && !isMilliseconds(millisecondsOf(branch.value)));
  if (wrong) {
    const what = `timeWindow ${file.textOf(wrong.node)} is no time of 1 ms to 400 days`;
    return draft.refuse(value, what, 'write a window, such as 60_000 or 1 minute, and run this again');
  }
  const known = branches.flatMap(({ node, value: time }) =>
    time === undefined ? [] : [{ node, text: durationText(millisecondsOf(time)!) }],
  );
  if (branches.length === 1 && known[0]) return known[0].text;
  const own = known.filter(({ node }) => isIn(node, value));
  const edits = own.map(({ node: { start, end }, text }) => ({ start, end, text }));
  if (known.length < branches.length) draft.differs(isOfEnvironment(file, value) ? WINDOW_TEXT : WINDOW_ELSEWHERE);
  const { start, end } = file.typedOf(value);
  return draft.carry(value) === undefined ? undefined : edited(file.text, edits, start, end);
}

/** A client of Redis. @param isNamed true where the limit needs a name: others are named by their route */
function readRedis(draft: LimitDraft, { redis, nameSpace }: GivenOptions, isNamed: boolean): void {
  const { file } = draft;
  if (!redis || isNothing({ node: redis.value, value: constantOf(file, redis.value) })) return;
  const text = draft.carry(redis.value);
  if (clientSeen(file, redis.value)?.kind === 'node-redis') {
    const what = 'the client is of node-redis, and the plugin takes ioredis alone';
    return draft.refuse(redis.property, what, 'write store: redisStore({ url })');
  }
  const keys = nameSpace && prefixText(draft, nameSpace.value);
  draft.use('@sluice/redis', 'redisStore');
  draft.differs(CLIENT_SETTINGS, STORE_FAILURE);
  draft.writeIf(mayBeAbsent(file, redis.value) ? text : undefined, [
    ...(isNamed ? [['name', `'${draft.takeName()}'`] as const] : []),
    ['store', redisStoreText(text!, 'ioredis')],
    ...(keys ? [['prefix', keys] as const] : []),
  ]);
}

const EXCEEDING: Difference = {
  text: 'onExceeding, which was called for each admitted request and only logged, is gone: read request.rateLimit.',
  link: GUIDE,
};

/** It is called for each admitted request: a log of it is what nothing else depends on. */
function logOf(draft: LimitDraft, { value, property }: GivenOption): undefined {
  const found = draft.file.functionOf(value);
  if (found && onlyLogs(found.fn)) draft.differs(EXCEEDING);
  else draft.refuse(property, 'onExceeding does more than log', 'read request.rateLimit in a hook behind the limit');
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
