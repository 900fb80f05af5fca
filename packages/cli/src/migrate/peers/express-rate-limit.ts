import { DECISION, PREFLIGHTS, RETRY_AFTER, ZERO_LIMIT } from '../limits/differences.js';
import type { Edit } from '../source/edit.js';
import type { Difference, LimitDraft, Row, GivenOptions } from '../limits/limit-draft.js';
import { readCalls } from '../limits/limit-calls.js';
import type { Peer, Program, ReadProgram } from '../limits/peer.js';
import { denialRow } from '../limits/denial-row.js';
import { keyRow } from '../limits/key-row.js';
import { refundRow } from '../limits/refund-row.js';
import { droppedRow, fixedRow, functionRow, limitRow, refusedRow, windowRow } from '../limits/rows.js';
import { storeRow } from '../limits/store-row.js';
import { constantOf, type SourceFile } from '../source/source-file.js';
import { bare, isFunction, nameOf, type Syntax } from '../source/syntax.js';

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
  windowRow('windowMs', 60_000),
  fixedRow('algorithm', "'fixed-window'"),
  limitRow(['limit', 'max'], 5, REQUEST, ZERO_LIMIT),
  storeRow({
    target: TARGET,
    name: 'identifier',
    stores: { 'rate-limit-redis': ['RedisStore', 'default'] },
    memory: 'MemoryStore',
    failure: 'passOnStoreError',
  }),
  keyRow({ target: TARGET, generator: 'keyGenerator', subnet: 'ipv6Subnet', helpers: ['ipKeyGenerator'], wide: IPV6 }),
  functionRow('skip', 'skip', REQUEST),
  refundRow({ first: (name) => name }),
  { options: ['legacyHeaders', 'headers', 'standardHeaders'], read: readHeaders },
  denialRow({
    status: (status, message) => `(_request, response) => void response.status(${status}).send(${message})`,
    request: (name) => (name === 'request' ? '{ request }' : `{ request: ${name} }`),
  }),
  { options: ['requestPropertyName'], read: readPropertyName },
  droppedRow(['validate', 'logger'], WARNINGS),
  refusedRow('onLimitReached', 'use onDenied, which is called for each denial'),
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

function readPropertyName(draft: LimitDraft, { requestPropertyName: given }: GivenOptions): void {
  if (!given || constantOf(draft.file, given.value) === 'rateLimit') return;
  draft.refuse(given.property, 'requestPropertyName is another name', 'read request.rateLimit, and remove the option');
}

function read(program: Program): ReadProgram {
  const { edits, unread } = readInfo(program);
  const drafts = readCalls(program, {
    factories: ['rateLimit', 'default'],
    table,
    ours: 'rateLimit',
    target: TARGET,
    everywhere: edits,
  });
  for (const draft of drafts) {
    draft.differs(PREFLIGHTS, DECISION);
    draft.edits.push(...edits);
    // A limit whose info is read in a way that ours does not have would break its reader.
    draft.unread.push(...unread);
  }
  return { drafts, renamed: { RateLimitRequestHandler: 'RateLimitHandler' } };
}

/** Where the program reads what the limiter says of a request: `request.rateLimit.remaining`. */
function readInfo({ file, uses }: Program) {
  const edits: Edit[] = [];
  const unread: LimitDraft['unread'] = [];
  for (const info of file.nodesOf('MemberExpression')) {
    if (nameOf(info) !== 'rateLimit' || uses.some(({ node }) => node === info)) continue;
    if (!isOfRequest(file, bare(info.object))) continue;
    const outer = file.parentOf(info)!;
    const field = outer.type === 'MemberExpression' && outer.object === info ? nameOf(outer) : undefined;
    const binding = `${file.textOf(info)}?.binding`;
    if (field === 'limit' || field === 'remaining') {
      edits.push({ start: outer.start, end: outer.end, text: `${binding}?.${field}` });
    } else if (field === 'resetTime') {
      const text = `new Date(Date.now() + (${binding}?.resetAfter ?? 0))`;
      edits.push({ start: outer.start, end: outer.end, text });
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

/** False for the settings of a program, which often have a `rateLimit` too: `config.rateLimit.windowMs`. */
function isOfRequest(file: SourceFile, owner: Syntax): boolean {
  if (owner.type === 'MemberExpression') return /req/i.test(nameOf(owner) ?? '');
  if (owner.type !== 'Identifier' || /conf|setting|option|opts|env/i.test(owner.name)) return false;
  return file.declarationsOf(owner.name).some((declared) => isFunction(file.parentOf(declared)!));
}

export const expressRateLimit: Peer = {
  name: 'express-rate-limit',
  companions: ['rate-limit-redis'],
  target: TARGET,
  guide: GUIDE,
  isWhole: false,
  read,
};
