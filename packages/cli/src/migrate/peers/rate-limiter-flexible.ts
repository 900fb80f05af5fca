import type { Difference, GivenOptions, LimitDraft, Row, Unread } from '../limits/limit-draft.js';
import { LimitDraft as Draft } from '../limits/limit-draft.js';
import { CLIENT_SETTINGS } from '../limits/differences.js';
import { objectOf } from '../limits/limit-calls.js';
import { optionEdits } from '../limits/options-writer.js';
import type { Peer, Program, ReadProgram } from '../limits/peer.js';
import { kindOfClient, redisStoreText } from '../limits/redis-client.js';
import { droppedRow, durationText, fixedRow, isMilliseconds, limitRow, refusedRow } from '../limits/rows.js';
import { constantOf, type SourceFile } from '../source/source-file.js';
import { nameOf, type Syntax } from '../source/syntax.js';

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
  limitRow(['points'], 4, { parameters: 0 }, TOO_MANY),
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
  const seconds = constantOf(draft.file, duration.value);
  const text = draft.carry(duration.value);
  if (seconds === undefined) {
    if (text !== undefined)
      draft.write('window', `${duration.value.type === 'Identifier' ? text : `(${text})`} * 1000`);
    return;
  }
  const milliseconds = Number(seconds) * 1000;
  if (!isMilliseconds(milliseconds))
    return draft.refuse(duration.value, 'duration is no time of 1 ms to 400 days', 'choose a window');
  draft.write('window', duration.value.type === 'Identifier' ? `${text} * 1000` : durationText(milliseconds));
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
  const prefix = keyPrefix && constantOf(file, keyPrefix.value);
  draft.use(`${TARGET}/redis`, 'redisStore', ...(kind === 'node-redis' ? ['clientOf'] : []));
  draft.differs(CLIENT_SETTINGS);
  draft.write('name', `'${draft.takeName(typeof prefix === 'string' ? prefix : undefined)}'`);
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
  const counts = drafts.some(({ edits }) => edits.some(({ text }) => text === 'consume'));
  if (counts) drafts[0]!.edits.push({ start: file.text.length, end: file.text.length, text: helperText(file) });
  if (counts && file.isTypeScript) drafts[0]!.use(TARGET, 'type Limiter');
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
    return draft.refuse(
      call,
      `${variable.name} is exported`,
      'other files call it: export functions that call it instead, and run this again',
    );
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

/** `limiter.consume(key, points)`, or `limiter.delete(key)` whose result is not read. */
function readMethod(draft: LimitDraft, reference: Syntax): void {
  const { file, edits } = draft;
  const member = file.parentOf(reference)!;
  const call = file.parentOf(member);
  const method =
    member.type === 'MemberExpression' && member.object === reference && call?.callee === member
      ? nameOf(member)
      : undefined;
  const [key, points, options] = (call?.arguments ?? []) as Syntax[];
  if (method === 'consume' && key && !options) {
    edits.push(
      { start: member.start, end: member.end, text: 'consume' },
      { start: key.start, end: key.start, text: `${reference.name}, ` },
    );
    return;
  }
  const outer = call && file.parentOf(call);
  const statement = outer?.type === 'AwaitExpression' ? file.parentOf(outer) : outer;
  if (method === 'delete' && key && !points && statement?.type === 'ExpressionStatement') {
    edits.push({ start: member.property.start, end: member.property.end, text: 'reset' });
    edits.push(
      { start: key.start, end: key.start, text: '{ key: String(' },
      { start: key.end, end: key.end, text: ') }' },
    );
    return;
  }
  draft.refuse(
    reference,
    `${file.textOf(member.type === 'MemberExpression' ? member : reference)} is used`,
    'look it up in "Method by method"',
  );
}

/** What a result has there, and not here. */
function readFields(file: SourceFile): Unread[] {
  return file
    .nodesOf('MemberExpression', 'Property')
    .filter((node) => ['consumedPoints', 'isFirstInDuration'].includes(nameOf(node) ?? ''))
    .map((node) => ({
      line: file.lineOf(node),
      what: `${nameOf(node)} is read`,
      hand: 'use remainingPoints, or msBeforeNext',
    }));
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
  isWhole: false,
  read,
};
