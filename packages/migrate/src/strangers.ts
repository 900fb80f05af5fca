import type { Unread } from './limits/limit-draft.js';
import type { Peer } from './limits/peer.js';
import { importsOf } from './source/imports.js';
import type { SourceFile } from './source/source-file.js';
import { bare, isFunction, isIn, nameOf, type Syntax } from './source/syntax.js';

/** What this command names, and does not translate. */
export interface Stranger extends Unread {
  readonly path: string;
  readonly guide: string;
}

const BY_HAND = 'docs/guide/migrate.md#what-the-command-only-names';

/** Limiters that have a guide, and no translation. */
const PACKAGES: Readonly<Record<string, { readonly hand: string; readonly guide: string }>> = {
  bottleneck: { hand: 'write run of a limiter by its guide', guide: 'docs/guide/migrate-from-bottleneck.md' },
  'express-slow-down': {
    hand: "write algorithm: 'leaky-bucket' with queue",
    guide: 'docs/guide/plans-and-costs.md#slow-endpoints',
  },
  '@upstash/ratelimit': { hand: 'write a limiter by the guide', guide: BY_HAND },
};

const LUA = /\bcall\(\s*['"]INCR(BY)?['"][^]*\bP?EXPIRE\b/i;

/** True for text that may have a limiter of these, so that most files are not read. */
export function mayHaveStranger(text: string): boolean {
  return Object.keys(PACKAGES).some((name) => text.includes(name)) || (/\bincr/i.test(text) && /expire/i.test(text));
}

/** The limiters in a program that are not translated. */
export function strangersIn(file: SourceFile): Stranger[] {
  const packages = Object.entries(PACKAGES).flatMap(([name, { hand, guide }]) =>
    importsOf(file, [name])
      .slice(0, 1)
      .map(({ from }) => strangerOf(file, from, { what: `${name} is not translated`, hand, guide })),
  );
  const what = 'INCR with EXPIRE counts by hand';
  const hand = 'if it limits requests, write a limit in its place';
  const counters = countersIn(file).map((node) => strangerOf(file, node, { what, hand, guide: BY_HAND }));
  return [...packages, ...counters];
}

/** Where a program names the package of a translated library, and takes nothing from it: mocks, exports, types in comments. */
export function mentionsIn(file: SourceFile, { name, target, guide }: Peer): Stranger[] {
  const mocks = file
    .nodesOf('CallExpression')
    .filter(({ callee, arguments: [first] }) => first?.value === name && MOCKS.has(memberName(callee as Syntax)))
    .map((node) => ({ node, what: `${name} is mocked`, hand: `mock ${target}, or the tests meet real limits` }));
  const exported = file
    .nodesOf('ExportAllDeclaration', 'ExportNamedDeclaration')
    .filter(({ source }) => source?.value === name)
    .map((node) => ({ node, what: `${name} is exported again`, hand: `export what you use of ${target}` }));
  const comments = file.comments
    .filter(({ value }) => value.includes(`import('${name}')`) || value.includes(`import("${name}")`))
    .map((node) => ({ node, what: `a comment has a type of ${name}`, hand: `write the type of ${target}` }));
  return [...mocks, ...exported, ...comments].map(({ node, what, hand }) =>
    strangerOf(file, node, { what, hand, guide }),
  );
}

const MOCKS = new Set(['mock', 'doMock', 'unmock', 'unstable_mockModule', 'module', 'requireActual', 'importActual']);

function memberName(callee: Syntax): string {
  const inner = bare(callee);
  return (inner.type === 'MemberExpression' && nameOf(inner)) || '';
}

function strangerOf(
  file: SourceFile,
  node: { readonly start: number },
  { what, hand, guide }: { readonly what: string; readonly hand: string; readonly guide: string },
): Stranger {
  return { path: file.path, line: file.lineOf(node), what, hand, guide };
}

/** Calls of INCR beside calls of EXPIRE in a function, and scripts of both. */
function countersIn(file: SourceFile): Syntax[] {
  const scripts = file
    .nodesOf('Literal', 'TemplateElement')
    .filter(({ value }) =>
      LUA.test(String(typeof value === 'string' ? value : ((value as Syntax | null)?.cooked ?? ''))),
    );
  const calls = file.nodesOf('CallExpression');
  const expiring = calls.filter((call) => /^p?expire(at)?$/i.test(commandOf(call)));
  const counting = calls.filter(
    (call) => /^incr(by)?$/i.test(commandOf(call)) && expiring.some((other) => isIn(other, functionAround(file, call))),
  );
  return [...counting, ...scripts].slice(0, 1);
}

/** `incr` of `redis.incr(key)` and of `redis.call('INCR', key)`. */
function commandOf({ callee, arguments: given }: Syntax): string {
  const name = memberName(callee as Syntax);
  const [first] = given as Syntax[];
  const list = first?.type === 'ArrayExpression' ? (first.elements[0] as Syntax | null) : first;
  return /^(call|sendCommand)$/.test(name) && typeof list?.value === 'string' ? list.value : name;
}

function functionAround(file: SourceFile, node: Syntax): Syntax {
  let outer = file.parentOf(node);
  while (outer && !isFunction(outer) && outer.type !== 'Program') outer = file.parentOf(outer);
  return outer ?? node;
}
