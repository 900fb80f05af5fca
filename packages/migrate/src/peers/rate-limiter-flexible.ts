import {
  LimitDraft as Draft,
  type Difference,
  type GivenOption,
  type GivenOptions,
  type LimitDraft,
  type Row,
  type Unread,
} from '../limits/limit-draft.js';
import { namesClientHeader } from '../limits/client-headers.js';
import { CLIENT_SETTINGS } from '../limits/differences.js';
import { givenEdits, givenObject, NOT_WRITTEN } from '../limits/limit-calls.js';
import { objectText } from '../limits/layout.js';
import { isNamedIn, refuseMethods } from '../limits/limit-methods.js';
import { propertyText } from '../limits/options-writer.js';
import type { Peer, Program, ReadProgram, Run } from '../limits/peer.js';
import { keySpaceOf, writeKeySpace } from '../limits/key-space.js';
import { clientSeen, redisStoreText } from '../limits/redis-client.js';
import { countOf } from '../limits/count.js';
import { durationOf, durationText } from '../limits/duration.js';
import { readOptions } from '../limits/option-table.js';
import { constantOf } from '../source/constant.js';
import { importsOf, usesOf } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { nameOf, type Syntax } from '../source/syntax.js';
import { helperText } from './flexible-helper.js';
import { typeEdits } from './flexible-types.js';

const GUIDE = 'docs/guide/migrate-from-rate-limiter-flexible.md';
const NAME = 'rate-limiter-flexible';
const TARGET = '@sluice/core';

const NO_REJECTION: Difference = {
  text: 'A store that fails rejects nothing: each process limits alone, and decisions are degraded.',
  link: 'docs/guide/outages.md#what-to-choose',
};
const HELPER: Difference = {
  text: 'flexible() rejects for your code; a limiter of Sluice resolves, with allowed: false.',
  link: GUIDE,
};
const BAN: Difference = {
  text: 'A ban is a tier of its own: it begins with the first denial, and the next one after it begins another.',
  link: 'docs/guide/login.md#bans',
};
const FIRST: Difference = {
  text: 'isFirstInDuration is false for each denial: there it is true for the first request of a duration, also if it is denied, and for the one that begins a block.',
  link: GUIDE,
};
const HEADER_KEY: Difference = {
  text: 'Clients can write X-Forwarded-For and its like: consume counts an address that your framework reads behind proxies that you name.',
  link: 'docs/guide/proxies.md',
};
const TOO_MANY: Difference = {
  text: 'More points than the limit can never fit: msBeforeNext is Infinity.',
  link: 'docs/reference/decision.md',
};

/** Option by option: rate-limiter-flexible 11. */
const table: readonly Row[] = [
  {
    options: [],
    read: (draft) =>
      draft.write('key', draft.file.isTypeScript ? '({ key }: { key: string }) => key' : '({ key }) => key'),
  },
  {
    options: ['points'],
    becomes: 'limit',
    as: countOf({ byDefault: 4, carrying: { parameters: 0 }, zero: TOO_MANY }),
    otherwise: '4',
  },
  { options: ['duration'], becomes: 'window', as: durationOf({ factor: 1000, byDefault: 1 }), otherwise: "'1s'" },
  { options: [], becomes: 'algorithm', otherwise: "'fixed-window'" },
  {
    // `redis` is the name of version 0.
    options: ['storeClient', 'redis', 'keyPrefix', 'useRedisPackage', 'useRedis3AndLowerPackage', 'blockDuration'],
    read: (draft, given) => readStore(draft, { ...given, storeClient: given['storeClient'] ?? given['redis'] }),
  },
  // What ours does by itself.
  { options: ['insuranceLimiter', 'rejectIfRedisNotReady', 'inMemoryBlockOnConsumed', 'inMemoryBlockDuration'] },
  {
    options: ['blockOnConsumed'],
    refused: "write a tier with algorithm: 'backoff' and charge: 'denied': docs/guide/login.md#bans",
  },
  { options: ['execEvenly', 'execEvenlyMinDelayMs'], refused: "write algorithm: 'leaky-bucket' with queue" },
  { options: ['customIncrTtlLuaScript'], refused: 'choose an algorithm: docs/guide/algorithms.md' },
];

/** The name, the store, and a ban, which is a tier of its own. */
function readStore(draft: LimitDraft, given: GivenOptions): void {
  const { storeClient, keyPrefix, blockDuration } = given;
  const isBan = blockDuration !== undefined && constantOf(draft.file, blockDuration.value) !== 0;
  if (storeClient) readClient(draft, storeClient, given);
  else if (isBan)
    draft.write('name', `'${draft.takeName(keyPrefix && String(constantOf(draft.file, keyPrefix.value) ?? ''))}'`);
  if (isBan) readBan(draft, blockDuration, given);
  // A denied request costs there too, which a ban makes no difference to.
  else draft.write('charge', "'all'");
}

function readClient(draft: LimitDraft, storeClient: GivenOption, { keyPrefix, useRedisPackage }: GivenOptions): void {
  const { file } = draft;
  const seen = clientSeen(file, storeClient.value);
  const kind = useRedisPackage ? 'node-redis' : seen?.kind;
  const client = draft.carry(storeClient.value);
  const made = file.valueOf(storeClient.value);
  if (made && /\blegacyMode:\s*true/.test(file.textOf(made)))
    return draft.refuse(storeClient.property, 'the client has legacyMode', 'remove legacyMode, and run this again');
  if (kind === 'node-redis' && seen?.isOld) {
    const hand = 'write store: redisStore({ url }), or use version 4 or later, and run this again';
    return draft.refuse(storeClient.property, 'the client is of node-redis before version 4', hand);
  }
  if (!kind) {
    const what = `whether ${client ?? 'the client'} is of ioredis or of node-redis is not seen`;
    return draft.refuse(
      storeClient.property,
      what,
      'name the file that makes it too, or write store: redisStore({ url })',
    );
  }
  const space = keySpaceOf(draft, keyPrefix?.value, { byDefault: 'rlflx' });
  if (!space) return;
  draft.use('@sluice/redis', 'redisStore', ...(kind === 'node-redis' ? ['clientOf'] : []));
  draft.differs(CLIENT_SETTINGS);
  writeKeySpace(draft, (keyPrefix ?? storeClient).property, space);
  draft.write('store', redisStoreText(client!, kind));
}

/** A denial blocks its key there, and begins a new count when the block ends. */
function readBan(draft: LimitDraft, { value, property }: GivenOption, { duration, points }: GivenOptions): void {
  const [seconds, window] = [value, duration?.value].map((each) => (each ? constantOf(draft.file, each) : 1));
  if (
    typeof seconds !== 'number' ||
    typeof window !== 'number' ||
    seconds < window ||
    typeof (points && constantOf(draft.file, points.value)) !== 'number'
  ) {
    const what =
      'whether blockDuration is at least as long as duration is not seen, and a shorter one begins a new count there';
    return draft.refuse(property, what, 'write a ban by the guide: docs/guide/login.md#bans');
  }
  draft.differs(BAN);
  draft.write('ban', durationText(seconds * 1000));
}

const CLASSES = ['RateLimiterMemory', 'RateLimiterRedis'];

/** Methods and fields that the helper does not have. */
const MISSING = ['penalty', 'reward', 'block', 'dump', 'restore'];

function read(program: Program): ReadProgram {
  const { file, uses, theirs, run } = program;
  const drafts = uses.flatMap((use) => {
    const call = file.parentOf(use.node);
    const isMade = call?.type === 'NewExpression' && call.callee === use.node && CLASSES.includes(use.exported);
    if (!isMade) return [];
    const draft = new Draft({ file, theirs, names: run.names, call });
    readLimiter(draft, call);
    return [draft];
  });
  for (const draft of drafts) {
    // Each of them brings the helper, which is written once, because others may be left alone.
    draft.edits.push({ start: file.text.length, end: file.text.length, text: helperText(file) });
    if (file.isTypeScript) draft.use(TARGET, 'type Decision', 'type Limiter');
  }
  refuseMethods(program, drafts, MISSING, 'the helper has consume, get and delete: look it up in "Method by method"');
  refuseSettings(program, drafts);
  refuseParts(program.run, drafts);
  const done = drafts.filter(({ unread }) => unread.length === 0);
  const edits = typeEdits(file, uses, ({ node }) => done.some((draft) => draft.holds(node)));
  return { drafts, edits, unread: [...readFields(file), ...(done.length > 0 ? takenHelper(file) : [])] };
}

function readLimiter(draft: LimitDraft, call: Syntax): void {
  const { file } = draft;
  const [argument] = call.arguments as Syntax[];
  const given = argument && givenObject(draft, argument);
  if (!given) return draft.refuse(call, ...NOT_WRITTEN);
  if (file.application?.mentions('consumedPoints') && readFields(file).length === 0) {
    const where = file.application.pathsOf('consumedPoints').join(', ');
    return draft.refuse(call, `consumedPoints is read in ${where}`, FIELD_HAND);
  }
  readOptions(draft, table, given.object);
  if (draft.unread.length > 0) return;
  draft.use(TARGET, 'createLimiter');
  draft.differs(NO_REJECTION, HELPER, TOO_MANY);
  if (file.application?.mentions('isFirstInDuration')) draft.differs(FIRST);
  if (consumesHeader(file)) draft.differs(HEADER_KEY);
  const ban = draft.outputs.find(({ name }) => name === 'ban');
  draft.keepOutputs(({ name }) => name !== 'ban');
  const settings = readsSettings(file) ? `, ${settingsText(draft)}` : '';
  // The constant that nothing reads any more is removed with all others.
  const options = ban
    ? [
        { start: argument.start, end: argument.end, text: bannedText(draft, ban.text) },
        ...(given.type ? [{ start: given.type.start, end: given.type.end, text: '' }] : []),
      ]
    : givenEdits(draft, table, argument, given);
  draft.edits.push({ start: call.start, end: call.callee.end, text: 'flexible(createLimiter' }, ...options, {
    start: call.end,
    end: call.end,
    text: `${settings})`,
  });
}

/** True where a program consumes by a header that clients write. */
function consumesHeader(file: SourceFile): boolean {
  return file
    .nodesOf('CallExpression')
    .some(
      ({ callee, arguments: [key] }) =>
        callee.type === 'MemberExpression' &&
        nameOf(callee) === 'consume' &&
        key &&
        namesClientHeader(file.textOf(key)),
    );
}

/** Two tiers: the limit, and a ban by its denials. */
function bannedText({ file, outputs, call }: LimitDraft, ban: string): string {
  const tier = outputs.filter(({ name }) => name !== 'store' && name !== 'prefix');
  const [key, name] = ['key', 'name'].map((each) => tier.find((output) => output.name === each)!.text);
  const own = name!.startsWith("'") ? `${name!.slice(0, -1)}-ban'` : `\`\${${name}}-ban\``;
  const banned = [
    `name: ${own}`,
    `key: ${key}`,
    "algorithm: 'backoff'",
    "charge: 'denied'",
    'limit: 0',
    `window: ${ban}`,
    `delays: [${ban}]`,
  ];
  const others = outputs.filter((output) => !tier.includes(output)).map(propertyText);
  const tiers = [`{ ${tier.map(propertyText).join(', ')} }`, `{ ${banned.join(', ')} }`];
  const one = `tiers: [${tiers.join(', ')}]`;
  const isLong = one.length > 80;
  return objectText(file, isLong ? call.start : call.end, [
    ...others,
    isLong ? `tiers: [\n  ${tiers.join(',\n  ')},\n]` : one,
  ]);
}

/** `points` and `duration` of a limiter, where the program reads them. */
function readsSettings(file: SourceFile): boolean {
  const words = ['.points', '.duration'];
  return words.some((word) => file.application?.mentions(word) === true);
}

function settingsText({ file, given }: LimitDraft): string {
  const of = (name: string, byDefault: number) => (given[name] ? file.textOf(given[name].value) : String(byDefault));
  return `{ points: ${of('points', 4)}, duration: ${of('duration', 1)} }`;
}

/** A limiter whose numbers the program changes is another one with each request. */
function refuseSettings({ file }: Program, drafts: readonly LimitDraft[]): void {
  for (const { left } of file.nodesOf('AssignmentExpression')) {
    const target = left as Syntax;
    if (target.type !== 'MemberExpression' || !/^(points|duration)$/.test(nameOf(target) ?? '')) continue;
    const hand = 'make a limiter for each number, or write limit: ({ plan }) => …';
    for (const draft of drafts) draft.refuse(target, `${file.textOf(target)} is set, for all requests at once`, hand);
  }
}

/** A limiter of theirs takes only limiters of theirs: of one that stays, what it is made of stays too. */
function refuseParts(run: Run, drafts: readonly LimitDraft[]): void {
  for (const file of run.files) {
    for (const { node, exported } of usesOf(file, importsOf(file, [NAME]))) {
      const whole = file.parentOf(node)!;
      const isMade = whole.type === 'NewExpression' && whole.callee === node;
      // Whether one of another file stays is known only for a class that is never translated.
      const stays = !CLASSES.includes(exported) || drafts.some(({ call, unread }) => call === whole && unread[0]);
      if (!isMade || !stays) continue;
      const what = `${exported} in ${file.path}:${file.lineOf(whole)} takes only limiters of its own library`;
      const parts = drafts.filter((draft) => !draft.unread[0] && isNamedIn(draft, file, whole));
      for (const part of parts) part.refuse(part.call, what, 'write both by hand');
      if (parts.length > 0) refuseParts(run, drafts);
    }
  }
}

function takenHelper(file: SourceFile): Unread[] {
  return ['flexible', 'isDenial']
    .flatMap((name) => file.declarationsOf(name))
    .map((node) => ({
      line: file.lineOf(node),
      what: `${node.name as string} is a name that the translation needs`,
      hand: 'rename it, and run this again',
    }));
}

const FIELD_HAND = 'write remainingPoints <= 0 in place of consumedPoints > points, and run this again';

/** What a result has there, and not here: a denied request does not count above the limit. */
function readFields(file: SourceFile): Unread[] {
  return file
    .nodesOf('MemberExpression', 'Property')
    .filter((node) => nameOf(node) === 'consumedPoints')
    .map((node) => ({ line: file.lineOf(node), what: 'consumedPoints is read', hand: FIELD_HAND }));
}

export const rateLimiterFlexible: Peer = {
  name: NAME,
  companions: [],
  target: TARGET,
  guide: GUIDE,
  table,
  isWhole: () => false,
  reason: '',
  isEach: true,
  instead: {
    RateLimiterRes: 'consume rejects with figures that have no class: test for !(error instanceof Error)',
    RateLimiterRedis: 'it stays as long as limiters of this file do',
    RateLimiterMemory: 'it stays as long as limiters of this file do',
    RateLimiterQueue: "write algorithm: 'leaky-bucket' with queue, or run of a limiter: docs/guide/outbound.md",
    RateLimiterUnion: 'write tiers, each with its own key',
    BurstyRateLimiter: "write algorithm: 'token-bucket' with burst",
    RateLimiterPrisma: 'write redisStore({ url }), or a store of your own: docs/guide/own-store.md',
    IRateLimiterOptions: 'write the options into the call, and run this again',
    IRateLimiterStoreOptions: 'write the options into the call, and run this again',
  },
  read,
};
