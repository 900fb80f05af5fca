import { DECISION, PREFLIGHTS, proxiesNamedBy, RETRY_AFTER, ZERO_LIMIT } from '../limits/differences.js';
import type { Edit } from '../source/edit.js';
import type { Difference, LimitDraft, Row, GivenOptions, Unread } from '../limits/limit-draft.js';
import { readCalls } from '../limits/limit-calls.js';
import { refuseMethods } from '../limits/limit-methods.js';
import { importsOf, usesOf, type Use } from '../source/imports.js';
import type { Peer, Program, ReadProgram } from '../limits/peer.js';
import { denialRow } from '../limits/denial-row.js';
import { keyRow } from '../limits/key-row.js';
import { networkHand } from '../limits/network-hand.js';
import { refundRow } from '../limits/refund-row.js';
import { countOf } from '../limits/count.js';
import { durationOf } from '../limits/duration.js';
import { functionOf, oneOf } from '../limits/option-table.js';
import { memoryClassEdits } from '../limits/memory-class.js';
import { storeRow } from '../limits/store-row.js';
import { constantOf } from '../source/constant.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, nameOf, type Syntax } from '../source/syntax.js';

const NAME = 'express-rate-limit';
const GUIDE = 'docs/guide/migrate-from-express-rate-limit.md';
const TARGET = '@sluice/express';

const DRAFT_11: Difference = {
  text: 'draft-11 replaces draft-8: the same fields without partition keys.',
  link: GUIDE,
};
const IPV6: Difference = {
  text: 'IPv6 clients count by /64 instead of /56: key: byIp({ ipv6Subnet: 56 }) counts as before.',
  link: 'docs/guide/identities.md#addresses',
};
const WARNINGS: Difference = {
  text: 'Mistakes in options are errors at the start, others are warnings of the process.',
  link: 'docs/reference/warnings.md',
};

const REQUEST = { parameters: 1 };

/** Option by option: express-rate-limit 8. */
const table: readonly Row[] = [
  { options: ['windowMs'], becomes: 'window', as: durationOf({ byDefault: 60_000 }), otherwise: "'1m'" },
  { options: [], becomes: 'algorithm', otherwise: "'fixed-window'" },
  {
    options: ['limit', 'max'],
    becomes: 'limit',
    as: countOf({
      byDefault: 5,
      carrying: REQUEST,
      zero: ZERO_LIMIT,
      nothing: 'there 0 denies all from version 7 and admits all before',
    }),
    otherwise: '5',
  },
  storeRow({
    name: 'identifier',
    peer: NAME,
    stores: { 'rate-limit-redis': ['RedisStore', 'default'] },
    memory: 'MemoryStore',
    failure: 'passOnStoreError',
  }),
  keyRow({
    target: TARGET,
    generator: 'keyGenerator',
    subnet: 'ipv6Subnet',
    helpers: ['ipKeyGenerator'],
    wide: IPV6,
    proxies: proxiesNamedBy("with app.set('trust proxy', …)"),
  }),
  { options: ['skip'], becomes: 'skip', as: functionOf(REQUEST) },
  refundRow({ first: (name) => name }),
  { options: ['legacyHeaders', 'headers', 'standardHeaders'], read: readHeaders },
  denialRow({
    status: (status, message) => `(_request, response) => void response.status(${status}).send(${message})`,
    request: (name) => (name === 'request' ? '{ request }' : `{ request: ${name} }`),
  }),
  {
    options: ['requestPropertyName'],
    as: oneOf({ rateLimit: {} }, 'is another name', 'read request.rateLimit, and remove the option'),
  },
  { options: ['validate', 'logger'], note: WARNINGS },
  { options: ['onLimitReached'], refused: 'write onDenied, which is called for each denial' },
];

const DRAFTS: Readonly<Record<string, string | undefined>> = {
  false: '',
  true: 'draft-6',
  'draft-6': 'draft-6',
  'draft-7': 'draft-7',
  'draft-8': 'draft-11',
};

function readHeaders(
  draft: LimitDraft,
  { legacyHeaders, headers = legacyHeaders, standardHeaders }: GivenOptions,
): void {
  const legacy = headers ? constantOf(draft.file, headers.value) : true;
  const standard = standardHeaders ? constantOf(draft.file, standardHeaders.value) : false;
  const ours = DRAFTS[String(standard)];
  if (typeof legacy !== 'boolean' || ours === undefined) {
    return draft.refuse(
      (standardHeaders ?? headers)!.property,
      'the headers depend on a value',
      "write headers: ['x-ratelimit']",
    );
  }
  if (ours === 'draft-11') draft.differs(DRAFT_11);
  const formats = [legacy ? 'x-ratelimit' : '', ours].filter((each) => each !== '');
  if (formats.length === 0) draft.differs(RETRY_AFTER);
  if (formats.join() !== 'x-ratelimit') draft.write('headers', `[${formats.map((each) => `'${each}'`).join(', ')}]`);
}

function read(program: Program): ReadProgram {
  const { edits, unread } = readInfo(program.file, program.uses);
  const drafts = readCalls(program, {
    factories: ['rateLimit', 'default'],
    table,
    ours: 'rateLimit',
    target: TARGET,
    everywhere: edits,
  });
  for (const draft of drafts) draft.differs(PREFLIGHTS, DECISION);
  refuseMethods(program, drafts, ['resetKey', 'getKey']);
  // A limit whose info is read in a way that ours does not have would break its reader.
  return { drafts, edits: [...edits, ...settingEdits(program), ...memoryClassEdits(program.file, NAME)], unread };
}

/** What a function takes apart of their options: `({ windowMs, max }: Options) => …`. */
const SETTINGS: Readonly<Record<string, string | undefined>> = {
  windowMs: 'number',
  max: 'number',
  limit: 'number',
  message: 'string | object',
  statusCode: 'number',
};

/** The type of a parameter that only takes settings, as those settings. */
function settingEdits({ file, uses }: Program): Edit[] {
  return file.nodesOf('TSTypeReference').flatMap((type) => {
    const parameter = file.parentOf(file.parentOf(type)!);
    const name = file.textOf(type).replace(/^\w+\./, '');
    const isTheirs = uses.some(({ node }) => type.start <= node.start && node.end <= type.end);
    if (!isTheirs || name !== 'Options' || parameter?.type !== 'ObjectPattern') return [];
    const names = (parameter.properties as Syntax[]).map((each) => nameOf(each) ?? '');
    if (names.some((each) => !SETTINGS[each])) return [];
    const fields = names.map((each) => `${each}?: ${SETTINGS[each]}`).join('; ');
    return [{ start: type.start, end: type.end, text: `{ ${fields} }` }];
  });
}

/** Where a program reads what the limiter says of a request: `request.rateLimit.remaining`. */
function readInfo(file: SourceFile, uses: readonly Use[]) {
  const edits: Edit[] = [];
  const unread: Unread[] = [];
  for (const info of file.nodesOf('MemberExpression')) {
    if (nameOf(info) !== 'rateLimit' || uses.some(({ node }) => node === info)) continue;
    if (!isOfRequest(file, bare(info.object), uses.length > 0)) continue;
    let known = info;
    // `request.rateLimit!.resetTime`
    while (['TSNonNullExpression', 'ChainExpression'].includes(file.parentOf(known)!.type))
      known = file.parentOf(known)!;
    const outer = file.parentOf(known)!;
    const field = outer.type === 'MemberExpression' && outer.object === known ? nameOf(outer) : undefined;
    const binding = `${file.textOf(info)}?.binding`;
    if (field === 'limit' || field === 'remaining') {
      edits.push({ start: outer.start, end: outer.end, text: `${binding}?.${field}` });
    } else if (field === 'resetTime') {
      const time = `Date.now() + (${binding}?.resetAfter ?? 0)`;
      const whole = withDefaults(file, outer);
      const text = isCalculated(file, whole) ? `(${time})` : `new Date(${time})`;
      edits.push({ start: whole.start, end: whole.end, text });
    } else {
      const what = `${file.textOf(field === undefined ? info : outer)} is read`;
      unread.push({
        line: file.lineOf(info),
        what,
        hand: 'a decision has limit, remaining, resetAfter and retryAfter',
      });
    }
  }
  return { edits, unread };
}

/** The time with what stands in for it, which ours never needs: `resetTime ?? 0`. */
function withDefaults(file: SourceFile, node: Syntax): Syntax {
  const outer = file.parentOf(node);
  const isTyped = outer?.type === 'ChainExpression' || outer?.type.startsWith('TS');
  const isDefault = outer?.type === 'LogicalExpression' && outer.operator !== '&&' && outer.left === node;
  return isTyped || isDefault ? withDefaults(file, outer!) : node;
}

/** True in `resetTime / 1000`, where a date is the number of its milliseconds. */
function isCalculated(file: SourceFile, node: Syntax): boolean {
  const outer = file.parentOf(node);
  return outer?.type === 'BinaryExpression' && /^[-*/%]$/.test(outer.operator as string);
}

function readsInfo(file: SourceFile): boolean {
  const { edits, unread } = readInfo(file, usesOf(file, importsOf(file, [NAME])));
  return edits.length + unread.length > 0;
}

/** False for the settings of a program, which often have a `rateLimit` too: `config.rateLimit.windowMs`. */
function isOfRequest(file: SourceFile, owner: Syntax, hasLimit: boolean): boolean {
  // Elsewhere the name says whether it is a request: answers of other services have a `rateLimit` too.
  if (!hasLimit && !/^_?req(uest)?$/.test(nameOfOwner(owner) ?? '')) return false;
  if (owner.type === 'MemberExpression') return /req/i.test(nameOf(owner) ?? '');
  if (owner.type !== 'Identifier' || /conf|setting|option|opts|env/i.test(owner.name)) return false;
  return file.declarationsOf(owner.name).some((declared) => isFunction(file.parentOf(declared)!));
}

function nameOfOwner(owner: Syntax): string | undefined {
  return owner.type === 'MemberExpression' ? nameOf(owner) : (owner.name as string | undefined);
}

export const expressRateLimit: Peer = {
  name: NAME,
  companions: ['rate-limit-redis'],
  target: TARGET,
  guide: GUIDE,
  table,
  // What reads the info of a request does not know whose it is.
  isWhole: (files) => files.some(readsInfo),
  reason: 'the program reads request.rateLimit',
  isEach: true,
  isIn: (file, files) => readsInfo(file) && files.some((each) => importsOf(each, [NAME]).length > 0),
  types: { RateLimitRequestHandler: 'RateLimitHandler', RateLimit: 'RateLimitHandler' },
  instead: {
    ipKeyGenerator: networkHand,
    Options: 'write RateLimitOptions',
    RateLimitInfo: 'write Decision: read binding.limit, binding.remaining and retryAfter',
    AugmentedRequest: 'remove it: request.rateLimit has a type',
    Store: 'write a store: docs/guide/own-store.md',
    MemoryStore: 'write memoryStore()',
    RedisStore: 'write redisStore(client)',
  },
  ofAll: ['AugmentedRequest', 'RateLimitInfo'],
  read,
};
