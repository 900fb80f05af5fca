import type { Difference, GivenOptions, LimitDraft, Row, Unread } from '../limits/limit-draft.js';
import { LimitDraft as Draft } from '../limits/limit-draft.js';
import { CLIENT_SETTINGS } from '../limits/differences.js';
import { objectOf } from '../limits/limit-calls.js';
import { optionEdits } from '../limits/options-writer.js';
import type { Peer, Program, ReadProgram } from '../limits/peer.js';
import { keySpaceOf, writeKeySpace } from '../limits/key-space.js';
import { kindOfClient, redisStoreText } from '../limits/redis-client.js';
import { limitRow } from '../limits/limit-row.js';
import { droppedRow, fixedRow, refusedRow } from '../limits/rows.js';
import { windowText } from '../limits/window-row.js';
import { constantOf } from '../source/constant.js';
import type { SourceFile } from '../source/source-file.js';
import type { Syntax } from '../source/syntax.js';
import { EXPORTED, readFields, readMethod } from './flexible-methods.js';

const GUIDE = 'docs/guide/migrate-from-rate-limiter-flexible.md';
const TARGET = '@sluice/core';

const NO_REJECTION: Difference = {
  text: 'A store that fails rejects nothing: each process limits alone, and decisions are degraded.',
  link: 'docs/guide/outages.md#what-to-choose',
};
const HELPER: Difference = {
  text: 'consume rejects for your code; a limiter of Sluice resolves, with allowed: false.',
  link: GUIDE,
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
  limitRow(['points'], { byDefault: 4, carrying: { parameters: 0 }, zero: TOO_MANY }),
  { options: ['duration'], read: readDuration },
  fixedRow('algorithm', "'fixed-window'"),
  fixedRow('charge', "'all'"),
  { options: ['storeClient', 'keyPrefix', 'useRedisPackage'], read: readStore },
  { options: ['blockDuration'], read: readBlock },
  droppedRow(['insuranceLimiter', 'rejectIfRedisNotReady', 'inMemoryBlockOnConsumed', 'inMemoryBlockDuration']),
  refusedRow('blockOnConsumed', 'write a backoff tier: docs/guide/login.md#bans'),
  refusedRow('execEvenly', "write algorithm: 'leaky-bucket' with queue"),
  refusedRow('execEvenlyMinDelayMs', "write algorithm: 'leaky-bucket' with queue"),
  refusedRow('customIncrTtlLuaScript', 'choose an algorithm: docs/guide/algorithms.md'),
];

/** In seconds there. */
function readDuration(draft: LimitDraft, { duration }: GivenOptions): void {
  if (!duration) return draft.write('window', "'1s'");
  const text = windowText(draft, duration, { factor: 1000, byDefault: 1 });
  if (text !== undefined) draft.write('window', text);
}

function readStore(draft: LimitDraft, { storeClient, keyPrefix, useRedisPackage }: GivenOptions): void {
  if (!storeClient) return;
  const { file } = draft;
  const kind = useRedisPackage ? 'node-redis' : kindOfClient(file, storeClient.value);
  const client = draft.carry(storeClient.value);
  const made = file.valueOf(storeClient.value);
  if (made && /\blegacyMode:\s*true/.test(file.textOf(made)))
    return draft.refuse(storeClient.property, 'the client has legacyMode', 'remove legacyMode, and run this again');
  if (!kind)
    return draft.refuse(storeClient.property, 'the client of Redis was not found', 'write store: redisStore(client)');
  const space = keySpaceOf(draft, keyPrefix?.value, { byDefault: 'rlflx' });
  if (!space) return;
  draft.use('@sluice/redis', 'redisStore', ...(kind === 'node-redis' ? ['clientOf'] : []));
  draft.differs(CLIENT_SETTINGS);
  writeKeySpace(draft, (keyPrefix ?? storeClient).property, space);
  draft.write('store', redisStoreText(client!, kind));
}

function readBlock(draft: LimitDraft, { blockDuration }: GivenOptions): void {
  if (!blockDuration || constantOf(draft.file, blockDuration.value) === 0) return;
  draft.refuse(blockDuration.property, 'blockDuration has no equal', 'write a backoff tier: docs/guide/login.md#bans');
}

const CLASSES = ['RateLimiterMemory', 'RateLimiterRedis'];

function read({ file, uses, theirs, run }: Program): ReadProgram {
  const drafts = uses.flatMap((use) => {
    const call = file.parentOf(use.node);
    const owner = call && file.parentOf(call);
    if (!CLASSES.includes(use.exported) || call?.type !== 'NewExpression' || owner?.type !== 'VariableDeclarator')
      return [];
    const draft = new Draft({ file, theirs, names: run.names, call });
    readLimiter(draft, call, owner.id as Syntax);
    return [draft];
  });
  const counting = drafts.filter(({ edits }) => edits.some(({ text }) => text === 'consume'));
  // Each of them brings the helper, which is written once, because others may be left alone.
  for (const draft of counting) {
    draft.edits.push({ start: file.text.length, end: file.text.length, text: helperText(file) });
    if (file.isTypeScript) draft.use(TARGET, 'type Limiter');
  }
  const counts = counting.some(({ unread }) => unread.length === 0);
  return { drafts, unread: [...readFields(file), ...(counts ? takenHelper(file) : [])] };
}

function readLimiter(draft: LimitDraft, call: Syntax, variable: Syntax): void {
  const { file } = draft;
  const [argument] = call.arguments as Syntax[];
  const object = argument && objectOf(draft, argument);
  if (!object)
    return draft.refuse(
      call,
      'the options are not written in this file, or used twice',
      'write them into the call, and run this again',
    );
  if (variable.type !== 'Identifier' || variable.typeAnnotation || file.declarationsOf(variable.name).length !== 1) {
    return draft.refuse(
      call,
      'the limiter has no name of its own, or a type',
      'give it a const of its own, and run this again',
    );
  }
  if (isExported(file, variable)) {
    return draft.refuse(call, `${variable.name} is exported`, EXPORTED);
  }
  draft.read(table, object);
  if (draft.unread.length > 0) return;
  draft.use(TARGET, 'createLimiter');
  draft.differs(NO_REJECTION, HELPER, TOO_MANY);
  draft.edits.push(
    { start: call.start, end: call.callee.end, text: 'createLimiter' },
    ...optionEdits(draft, table, object),
  );
  for (const reference of file.referencesOf(variable.name)) readMethod(draft, reference);
}

/** True for `export const limiter = …`. Other exports are references. */
function isExported(file: SourceFile, variable: Syntax): boolean {
  const declaration = file.parentOf(file.parentOf(variable)!);
  return declaration !== undefined && file.parentOf(declaration)?.type === 'ExportNamedDeclaration';
}

function takenHelper(file: SourceFile): Unread[] {
  return file.declarationsOf('consume').map((node) => ({
    line: file.lineOf(node),
    what: 'consume is a name that the translation needs',
    hand: 'rename it, and run this again',
  }));
}

/** Rejects like the limiter that it replaces, so that the code around stays as it is. */
function helperText({ isTypeScript, text }: SourceFile): string {
  const parameters = isTypeScript
    ? 'limiter: Limiter<{ key: string }>, key: string | number, points = 1'
    : 'limiter, key, points = 1';
  return `${text.endsWith('\n') ? '' : '\n'}
/** Rejects where the limit denies, with the figures that the code above reads. */
async function consume(${parameters}) {
  const { allowed, binding, retryAfter } = await limiter.consume({ key: String(key) }, { cost: points });
  const figures = {
    remainingPoints: binding?.remaining ?? 0,
    msBeforeNext: allowed ? (binding?.resetAfter ?? 0) : retryAfter,
  };
  if (!allowed) throw figures;
  return figures;
}
`;
}

export const rateLimiterFlexible: Peer = {
  name: 'rate-limiter-flexible',
  companions: [],
  target: TARGET,
  guide: GUIDE,
  isWhole: () => false,
  reason: '',
  isEach: true,
  // Code that tests for the class of a rejection tests those of all limits.
  ofAll: ['RateLimiterRes'],
  instead: {
    RateLimiterRes: 'consume rejects with figures that have no class: test for !(error instanceof Error)',
    RateLimiterQueue: "write algorithm: 'leaky-bucket' with queue, or run of a limiter: docs/guide/outbound.md",
    RateLimiterUnion: 'write tiers, each with its own key',
    BurstyRateLimiter: "write algorithm: 'token-bucket' with burst",
  },
  read,
};
