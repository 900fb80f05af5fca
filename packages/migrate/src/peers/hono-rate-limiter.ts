import { denialRow } from '../limits/denial-row.js';
import { DECISION, PREFLIGHTS, proxiesNamedBy, RETRY_AFTER, ZERO_LIMIT } from '../limits/differences.js';
import type { IdentityWords } from '../limits/identity-text.js';
import { keyRow } from '../limits/key-row.js';
import { readCalls } from '../limits/limit-calls.js';
import type { Difference, Row, Unread } from '../limits/limit-draft.js';
import type { Peer, Program, ReadProgram } from '../limits/peer.js';
import { refundRow } from '../limits/refund-row.js';
import { countOf } from '../limits/count.js';
import { durationOf } from '../limits/duration.js';
import { functionOf, oneOf } from '../limits/option-table.js';
import { memoryClassEdits } from '../limits/memory-class.js';
import { storeRow } from '../limits/store-row.js';
import type { SourceFile } from '../source/source-file.js';
import { importsOf } from '../source/imports.js';
import { bare, isFunction, nameOf, type Syntax } from '../source/syntax.js';

const NAME = 'hono-rate-limiter';
const GUIDE = 'docs/guide/migrate-from-hono-rate-limiter.md';
const TARGET = '@sluice/hono';

const NO_KEY: Difference = {
  text: 'Without keyGenerator hono-rate-limiter 0.5 fails each request: ours counts each client by its address.',
  link: GUIDE,
};

/** Theirs get the context, ours a subject that has it. */
const context = (name: string): string => `{ context: ${name} }`;
const SUBJECT = { parameters: 1, first: context };

/** Option by option: hono-rate-limiter 0.5. */
const table: readonly Row[] = [
  { options: ['windowMs'], becomes: 'window', as: durationOf({ byDefault: 60_000 }), otherwise: "'1m'" },
  { options: [], becomes: 'algorithm', otherwise: "'fixed-window'" },
  {
    options: ['limit'],
    becomes: 'limit',
    as: countOf({ byDefault: 5, carrying: SUBJECT, zero: ZERO_LIMIT }),
    otherwise: '5',
  },
  storeRow({
    stores: {
      [NAME]: ['RedisStore'],
      '@hono-rate-limiter/redis': ['RedisStore'],
      'rate-limit-redis': ['RedisStore', 'default'],
    },
    word: 'hrl:',
    peer: NAME,
    memory: 'MemoryStore',
  }),
  keyRow({
    target: TARGET,
    generator: 'keyGenerator',
    words: words(),
    first: context,
    proxies: proxiesNamedBy('with trustProxy of the limit, or with ip', 'docs/guide/hono.md#proxies'),
  }),
  {
    options: [],
    read: (draft) => {
      if (!draft.given['keyGenerator']) draft.differs(NO_KEY);
    },
  },
  { options: ['skip'], becomes: 'skip', as: functionOf(SUBJECT) },
  refundRow({ first: context, isStatus: isStatusOfContext }),
  {
    options: ['standardHeaders'],
    becomes: 'headers',
    as: oneOf(
      {
        false: { text: '[]', note: RETRY_AFTER },
        true: { text: "['draft-6']" },
        'draft-6': { text: "['draft-6']" },
        'draft-7': { text: "['draft-7']" },
      },
      'depends on a value',
      "write headers: ['draft-6']",
    ),
    otherwise: "['draft-6']",
  },
  denialRow({
    status: (status, message) => `(c) => c.${message.startsWith('{') ? 'json' : 'text'}(${message}, ${status})`,
    request: (name) => `{ request: ${context(name)} }`,
    parameters: 2,
    next: 1,
  }),
  { options: ['requestPropertyName'], refused: "read c.get('rateLimit'), and remove the option" },
  {
    options: ['requestStorePropertyName'],
    refused: 'write limit.limiter.inspect and reset where it is read, and remove the option',
  },
  { options: ['binding'], refused: 'the binding of Cloudflare counts there: keep it, or count in Redis' },
];

/** `c.req.header('x-key')`, and the address by the helper of a runtime. */
function words(): IdentityWords {
  return {
    isAddress: function isAddress(node, parameter) {
      // `getConnInfo(c).remote.address ?? ''`
      if (node.type === 'LogicalExpression' && bare(node.right).type === 'Literal')
        return isAddress(bare(node.left), parameter);
      const path = memberPath(node);
      const call = path.length === 2 && path[0] === 'remote' && path[1] === 'address' ? rootOf(node) : undefined;
      return (
        call?.type === 'CallExpression' &&
        bare(call.callee).name === 'getConnInfo' &&
        call.arguments[0]?.name === parameter
      );
    },
    headerOf: (node, parameter) => {
      const call = bare(node);
      if (call.type !== 'CallExpression' || memberPath(call.callee).join('.') !== 'req.header') return undefined;
      const [name] = call.arguments as Syntax[];
      return rootOf(call.callee).name === parameter && name?.type === 'Literal' ? String(name.value) : undefined;
    },
  };
}

/** The names behind the first object of a chain of members. */
function memberPath(node: Syntax): string[] {
  const inner = bare(node);
  return inner.type === 'MemberExpression' ? [...memberPath(inner.object), nameOf(inner) ?? ''] : [];
}

function rootOf(node: Syntax): Syntax {
  const inner = bare(node);
  return inner.type === 'MemberExpression' ? rootOf(inner.object) : inner;
}

function isStatusOfContext(_file: SourceFile, node: Syntax, fn: Syntax): boolean {
  return memberPath(node).join('.') === 'res.status' && rootOf(node).name === fn.params[0]?.name;
}

function read(program: Program): ReadProgram {
  const drafts = readCalls(program, { factories: ['rateLimiter'], table, ours: 'rateLimit', target: TARGET });
  for (const draft of drafts) draft.differs(PREFLIGHTS, DECISION);
  return { drafts, edits: memoryClassEdits(program.file, NAME), unread: readInfo(program.file) };
}

/** Where a program reads what the limiter says: `c.get('rateLimit')` of the context. */
function readInfo(file: SourceFile): Unread[] {
  return file
    .nodesOf('CallExpression')
    .filter(({ callee, arguments: [name] }) => {
      if (callee.type !== 'MemberExpression' || nameOf(callee) !== 'get') return false;
      return /^rateLimit(Store)?$/.test(String(name?.value)) && isContext(file, bare(callee.object));
    })
    .map((call) => ({
      line: file.lineOf(call),
      what: `${file.textOf(call)} is read`,
      hand: 'it is a decision: read binding and retryAfter',
    }));
}

/** True for the first parameter of a function, or what has the name of one. */
function isContext(file: SourceFile, object: Syntax): boolean {
  if (object.type !== 'Identifier') return false;
  return file.declarationsOf(object.name).some((declaration) => {
    const fn = file.parentOf(declaration);
    return fn !== undefined && isFunction(fn) && fn.params[0] === declaration;
  });
}

export const honoRateLimiter: Peer = {
  name: NAME,
  companions: ['@hono-rate-limiter/redis', '@hono-rate-limiter/cloudflare', 'rate-limit-redis'],
  target: TARGET,
  guide: GUIDE,
  table,
  // What reads the info of a request does not know whose it is.
  isWhole: (files) => files.some((file) => readInfo(file).length > 0),
  reason: "the program reads c.get('rateLimit')",
  isEach: true,
  isIn: (file, files) => readInfo(file).length > 0 && files.some((each) => importsOf(each, [NAME]).length > 0),
  instead: {
    RedisStore: 'write redisStore({ url })',
    MemoryStore: 'write memoryStore()',
    ConfigProps: 'write RateLimitOptions',
    ConfigType: 'write RateLimitOptions',
    GeneralConfigType: 'write RateLimitOptions',
    webSocketLimiter: 'count messages: docs/guide/beyond-middleware.md',
  },
  read,
};
