import { dirname, relative } from 'node:path/posix';
import { addressReadsIn } from '../limits/client-headers.js';
import { EACH_ADDRESS, proxiesNamedBy } from '../limits/differences.js';
import { nodeWords } from '../limits/identity-text.js';
import { addressEdits } from '../limits/key-row.js';
import type { Difference, Unread } from '../limits/limit-draft.js';
import { edited, type Edit } from '../source/edit.js';
import { importsOf, usesOf } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isIn, nameOf, returnedBy, type Syntax } from '../source/syntax.js';

const NAME = '@nestjs/throttler';

/** A guard of the program that extends theirs. */
export interface FoundGuard {
  readonly file: SourceFile;
  readonly node: Syntax;
  readonly name: string;
  /** The functions that take the place of its methods, and the options of the module that they are. */
  readonly functions: readonly GuardFunction[];
  readonly differences: readonly Difference[];
  readonly unread: readonly Unread[];
}

export interface GuardFunction {
  readonly option: 'key' | 'body' | 'skip';
  readonly name: string;
  /** The function, exported, with its comments. */
  readonly text: string;
}

const FILTERS: Difference = {
  text: 'A denial is a RateLimitException, a HttpException: a filter of yours that catches those answers it.',
  link: 'docs/guide/nestjs.md#answer-in-your-own-way',
};

/** The guards of a file. */
export function guardsIn(file: SourceFile): FoundGuard[] {
  const theirs = usesOf(file, importsOf(file, [NAME])).filter(({ exported }) => exported === 'ThrottlerGuard');
  return theirs.flatMap(({ node }) => {
    const owner = file.parentOf(node)!;
    return owner.type.startsWith('Class') && owner.superClass === node && owner.id ? [readGuard(file, owner)] : [];
  });
}

/** Parts of the class while it is read. */
interface Reading {
  readonly file: SourceFile;
  readonly functions: GuardFunction[];
  readonly differences: Difference[];
  readonly unread: Unread[];
}

/** What becomes of a method: functions of the module, or why it has no equal, and what to write. */
type Reader = ((reading: Reading, method: Syntax) => void) | readonly [what: string, hand: string];

/** Method by method: what a subclass overrides. A method that theirs does not have is never called by theirs. */
const METHODS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['getTracker', readTracker],
  ['throwThrottlingException', readException],
  ['canActivate', readActivation],
  ['shouldSkip', readSkip],
  ['errorMessage', readMessage],
  ['constructor', readConstructor],
  [
    'getRequestResponse',
    [
      'reads requests of GraphQL',
      'inject the limiter, and call it: docs/guide/nestjs.md#services-gateways-and-graphql',
    ],
  ],
  [
    'handleRequest',
    ['counts in its own way', 'write key and limit of the module, or inject the limiter: docs/guide/nestjs.md'],
  ],
  ['generateKey', ['makes keys of its own', "write key of the module: compose(byIp(), by('handler', …))"]],
  ['getErrorMessage', ['makes the message', 'write body of the module: ({ decision }) => …']],
]);

function readGuard(file: SourceFile, node: Syntax): FoundGuard {
  const reading: Reading = { file, functions: [], differences: [], unread: [] };
  let { start } = node.body as Syntax;
  for (const member of node.body.body as Syntax[]) {
    const name = member.kind === 'constructor' ? 'constructor' : (nameOf(member) ?? '');
    const before = reading.functions.length;
    const reader = METHODS.get(name);
    if (typeof reader === 'function') reader(reading, member);
    else if (reader) refuse(reading, member, `${name} ${reader[0]}`, reader[1]);
    const [added] = reading.functions.slice(before);
    if (added) reading.functions[before] = { ...added, text: movedText(file, { member, start }, added.text) };
    start = member.end;
  }
  return { ...reading, node, name: node.id.name as string };
}

/** A function as it stands outside its class: with the comments before it, and as far to the left. */
function movedText(file: SourceFile, { member, start }: { member: Syntax; start: number }, text: string): string {
  const comments = file.comments.filter((each) => start <= each.start && each.end <= member.start);
  const [indent] = /[ \t]*$/.exec(file.text.slice(0, member.start))!;
  const lines = [...comments.map((each) => file.textOf(each)), `export ${text}`];
  // A template of several lines would change with its indentation.
  const isMoved = text.includes(`\n${indent}}`) && !/`[^`]*\n[^`]*`/.test(text);
  return lines.map((each) => (isMoved ? each.replaceAll(`\n${indent}`, '\n') : each)).join('\n');
}

function refuse({ file, unread }: Reading, node: Syntax, what: string, hand: string): void {
  unread.push({ line: file.lineOf(node), what, hand });
}

/** Whom a request counts for. */
function readTracker(reading: Reading, method: Syntax): void {
  const { file, functions, differences } = reading;
  const fn = method.value as Syntax;
  const [request, ...more] = fn.params as Syntax[];
  const name = request && (bare(request).name as string | undefined);
  if (name === undefined || more.some((each) => file.referencesIn(fn, bare(each).name as string).length > 0))
    return refuse(reading, method, 'getTracker reads more than its request', 'write key of the module: by(…)');
  const reads = addressReadsIn(file, fn, fn);
  differences.push(EACH_ADDRESS);
  if (reads.has('header') || /\bips\b/.test(file.textOf(fn)))
    differences.push(proxiesNamedBy("with app.set('trust proxy', …), or trustProxy on Fastify"));
  const words = nodeWords(file, []);
  const isAddress = (node: Syntax): boolean => words.isAddress(node, name) || isSuperCall(node, 'getTracker');
  if (!reads.has('other') && !usesThis(file, fn)) return;
  const edits = addressEdits(file, fn, (node) => isAddress(inPromise(node)));
  const fields = fieldsOf(file, method, fn);
  if (usesThis(file, fn, [...edits, ...fields.map(({ use }) => use)]))
    return refuse(
      reading,
      method,
      'getTracker uses other members of its class',
      'write key of the module: by(…), with inject and useFactory',
    );
  // An arrow that is a field is a function too.
  const arrow = fn.type === 'ArrowFunctionExpression' ? arrowIn(file, fn) : [];
  if (arrow.length > 0 && fn.body.type !== 'BlockStatement')
    edits.push(
      { start: fn.body.start, end: fn.body.start, text: '{ return ' },
      { start: fn.end, end: fn.end, text: '; }' },
    );
  const own = fields.map(({ use, name: field }) => ({ start: use.start, end: use.end, text: field }));
  const text = edited(file.text, [...edits, ...own, ...arrow], fn.params[0].start, fn.end);
  const constants = new Map(fields.map(({ name: field, text: value }) => [field, `\n\nconst ${field} = ${value};`]));
  const after = [...constants.values()].join('');
  functions.push({
    option: 'key',
    name: 'trackerOf',
    text: `${fn.async ? 'async ' : ''}function trackerOf(${text}${after}`,
  });
}

interface Field {
  /** `this.logger` */
  readonly use: Syntax;
  readonly name: string;
  readonly text: string;
}

/** The fields that a method reads, such as a logger, and that need nothing of their object. */
function fieldsOf(file: SourceFile, method: Syntax, fn: Syntax): Field[] {
  const members = (file.parentOf(method)!.body as Syntax[]).filter(({ type }) => /Property/.test(type));
  const owner = (file.parentOf(file.parentOf(method)!)!.id as Syntax).name as string;
  return file.nodesOf('ThisExpression').flatMap((node) => {
    const use = file.parentOf(node)!;
    const name = use.type === 'MemberExpression' && isIn(use, fn) ? nameOf(use) : undefined;
    const field = members.find((each) => name !== undefined && nameOf(each) === name);
    const value = field?.value as Syntax | undefined;
    if (name === undefined || !value || usesThis(file, value) || file.has(name)) return [];
    return [{ use, name, text: file.textOf(value).replaceAll(`${owner}.name`, `'${owner}'`) }];
  });
}

/** The edit that removes the arrow of a function. */
function arrowIn(file: SourceFile, fn: Syntax): Edit[] {
  const end = fn.body.start as number;
  const start = file.text.lastIndexOf('=>', end);
  return [{ start, end: start + '=>'.length + /^\s*/.exec(file.text.slice(start + '=>'.length))![0].length, text: '' }];
}

/** `Promise.resolve(request.ip)` */
function inPromise(node: Syntax): Syntax {
  const inner = bare(node);
  const callee = inner.type === 'CallExpression' ? bare(inner.callee as Syntax) : undefined;
  return callee?.type === 'MemberExpression' && bare(callee.object).name === 'Promise'
    ? bare(inner.arguments[0])
    : inner;
}

function isSuperCall(node: Syntax, name: string): boolean {
  const inner = bare(node.type === 'AwaitExpression' ? node.argument : node);
  return inner.type === 'CallExpression' && inner.callee.object?.type === 'Super' && nameOf(inner.callee) === name;
}

function usesThis(
  file: SourceFile,
  fn: Syntax,
  without: readonly { readonly start: number; readonly end: number }[] = [],
): boolean {
  return file
    .nodesOf('ThisExpression', 'Super')
    .some((node) => isIn(node, fn) && !without.some(({ start, end }) => start <= node.start && node.end <= end));
}

/** The words of a refusal that throws an exception of its own. */
const FILTER = 'write a filter for RateLimitException: docs/guide/nestjs.md#answer-in-your-own-way';

const DETAILS: Readonly<Record<string, string>> = {
  limit: '(decision.binding?.limit ?? 0)',
  timeToExpire: 'Math.ceil(decision.retryAfter / 1000)',
  timeToBlockExpire: 'Math.ceil(decision.retryAfter / 1000)',
};

/** What it throws with the status 429 is the body. */
function readException(reading: Reading, method: Syntax): void {
  const { file, functions, differences } = reading;
  const fn = method.value as Syntax;
  const thrown = file.nodesOf('ThrowStatement').filter((node) => isIn(node, fn));
  const bodies = thrown.map(({ argument }) => bodyOf(file, bare(argument as Syntax)));
  if (thrown.length === 0 || bodies.includes(undefined))
    return refuse(
      reading,
      method,
      'throwThrottlingException throws something else than a HttpException of 429',
      FILTER,
    );
  const edits = [
    ...thrown.flatMap(({ start, argument }, index) =>
      returning({ start, argument: argument as Syntax }, bodies[index]!),
    ),
    ...messageEdits(file, fn),
  ];
  const [context, detail] = fn.params as Syntax[];
  const details = detailEdits(file, fn, detail);
  const requests = requestEdits(file, fn, context);
  if (!details || !requests || usesThis(file, fn, edits))
    return refuse(reading, method, 'throwThrottlingException reads more than the request and the wait', FILTER);
  const all = [...edits, ...details, ...requests];
  const names = [...(requests.length > 0 ? ['request'] : []), ...(details.length > 0 ? ['decision'] : [])];
  const type = file.isTypeScript && names.length > 0 ? `: { ${names.map((name) => `${name}: any`).join('; ')} }` : '';
  const parameter = names.length > 0 ? `{ ${names.join(', ')} }${type}` : '';
  const body = edited(file.text, all, fn.body.start, fn.body.end);
  differences.push(FILTERS);
  functions.push({
    option: 'body',
    name: 'denialOf',
    text: `${fn.async ? 'async ' : ''}function denialOf(${parameter}) ${body}`,
  });
}

interface ThrownBody {
  readonly node: Syntax;
  /** True for a message, which is a body with the status. */
  readonly isMessage: boolean;
}

function bodyOf(file: SourceFile, exception: Syntax): ThrownBody | undefined {
  if (exception.type !== 'NewExpression') return undefined;
  const [first, status] = exception.arguments as Syntax[];
  const name = file.textOf(exception.callee as Syntax);
  if (!first || !/^(Http|Throttler|TooManyRequests)Exception$/.test(name)) return undefined;
  if (name === 'HttpException' && !(status && /^(HttpStatus\.TOO_MANY_REQUESTS|429)$/.test(file.textOf(status))))
    return undefined;
  return { node: first, isMessage: bare(first).type !== 'ObjectExpression' };
}

/** `throw new HttpException(body, 429)` as `return body`. */
function returning(
  { start, argument }: { readonly start: number; readonly argument: Syntax },
  { node, isMessage }: ThrownBody,
): Edit[] {
  const [open, close] = isMessage ? ['return { statusCode: 429, message: ', ' }'] : ['return ', ''];
  return [
    { start, end: node.start, text: open },
    { start: node.end, end: argument.end, text: close },
  ];
}

/** `await this.getErrorMessage(…)` */
function messageEdits(file: SourceFile, fn: Syntax): Edit[] {
  return file
    .nodesOf('CallExpression')
    .filter(
      (call) =>
        isIn(call, fn) && call.callee.object?.type === 'ThisExpression' && nameOf(call.callee) === 'getErrorMessage',
    )
    .map((call) => {
      const outer = file.parentOf(call)!;
      const { start, end } = outer.type === 'AwaitExpression' ? outer : call;
      return { start, end, text: "'ThrottlerException: Too Many Requests'" };
    });
}

function detailEdits(file: SourceFile, fn: Syntax, detail: Syntax | undefined): Edit[] | undefined {
  const name = detail && (bare(detail).name as string | undefined);
  if (name === undefined) return detail ? undefined : [];
  const edits: Edit[] = [];
  for (const reference of file.referencesIn(fn, name)) {
    const outer = file.parentOf(reference)!;
    // `const { timeToBlockExpire } = detail`
    if (outer.type === 'VariableDeclarator' && outer.id.type === 'ObjectPattern') {
      const fields = (outer.id.properties as Syntax[]).map((each) => [
        nameOf(each) ?? '',
        bare(each.value).name as string,
      ]);
      if (fields.some(([field]) => !DETAILS[field!])) return undefined;
      const text = fields.map(([field, local]) => `${local} = ${DETAILS[field!]}`).join(', ');
      edits.push({ start: outer.start, end: outer.end, text });
      continue;
    }
    const isMessage = outer.type === 'CallExpression' && nameOf(outer.callee as Syntax) === 'getErrorMessage';
    const text = outer.type === 'MemberExpression' ? DETAILS[nameOf(outer) ?? ''] : undefined;
    if (isMessage) continue;
    if (text === undefined) return undefined;
    edits.push({ start: outer.start, end: outer.end, text });
  }
  return edits;
}

/** `context.switchToHttp().getRequest()` as our request. Undefined where the context is read for more. */
export function requestEdits(file: SourceFile, fn: Syntax, context: Syntax | undefined): Edit[] | undefined {
  const name = context && (bare(context).name as string | undefined);
  if (name === undefined) return context ? undefined : [];
  const edits: Edit[] = [];
  for (const reference of file.referencesIn(fn, name)) {
    const chain = /^\s*\.switchToHttp\(\)\s*\.getRequest(<[^()]*>)?\(\)/.exec(file.text.slice(reference.end));
    const outer = file.parentOf(reference)!;
    if (chain) edits.push({ start: reference.start, end: reference.end + chain[0].length, text: 'request' });
    else if (!(outer.type === 'CallExpression' && nameOf(outer.callee as Syntax) === 'getErrorMessage'))
      return undefined;
  }
  // `const request = context.switchToHttp().getRequest();` is the parameter already.
  return edits.map((edit) => {
    const declarator = file
      .nodesOf('VariableDeclarator')
      .find(({ init, id }) => init && id.name === 'request' && init.start <= edit.start && edit.end <= init.end);
    const statement = declarator && file.parentOf(declarator);
    return statement && statement.declarations.length === 1
      ? { start: statement.start, end: statement.end, text: '' }
      : edit;
  });
}

/** `if (isTest) return true; return super.canActivate(context);` */
function readActivation(reading: Reading, method: Syntax): void {
  const { file } = reading;
  const fn = method.value as Syntax;
  const condition = skippedWhen(file, fn.body.body as Syntax[]);
  const hand = 'write skip of the module: (request) => …';
  if (!condition) return refuse(reading, method, 'canActivate does more than skip some requests', hand);
  // Ours lets all but HTTP pass by itself.
  if (/^\w+\.getType(<[^>]*>)?\(\) !== ['"]http['"]$/.test(condition.text)) return;
  readCondition(reading, method, condition);
}

function readCondition(reading: Reading, method: Syntax, { node, text }: Condition): void {
  const { file, functions } = reading;
  const fn = method.value as Syntax;
  const requests = requestEdits(file, node, fn.params[0] as Syntax | undefined);
  if (!requests || usesThis(file, node))
    return refuse(
      reading,
      method,
      `${nameOf(method)} reads more than the request`,
      'write skip of the module, with inject and useFactory',
    );
  const isRead = requests.length > 0;
  const parameter = isRead ? `request${file.isTypeScript ? ': any' : ''}` : '';
  const body = isRead ? edited(file.text, requests, node.start, node.end) : text;
  functions.push({
    option: 'skip',
    name: 'isSkipped',
    text: `function isSkipped(${parameter}) {\n  return ${body};\n}`,
  });
}

interface Condition {
  readonly node: Syntax;
  readonly text: string;
}

function skippedWhen(file: SourceFile, statements: readonly Syntax[]): Condition | undefined {
  const [first, last, ...more] = statements;
  if (first?.type !== 'IfStatement' || first.alternate || !last || more.length > 0 || last.type !== 'ReturnStatement')
    return undefined;
  const inner = first.consequent as Syntax;
  const [only, ...others] = (inner.type === 'BlockStatement' ? inner.body : [inner]) as Syntax[];
  if (only?.type !== 'ReturnStatement' || others.length > 0 || !only.argument || !last.argument) return undefined;
  const isTrue = ({ argument }: Syntax) => bare(argument as Syntax).value === true;
  const test = first.test as Syntax;
  if (isTrue(only) && isSuperCall(last.argument as Syntax, 'canActivate'))
    return { node: test, text: file.textOf(test) };
  if (!isSuperCall(only.argument as Syntax, 'canActivate') || !isTrue(last)) return undefined;
  const text = file.textOf(test);
  return {
    node: test,
    text: / === /.test(text) && !/&&|\|\|/.test(text) ? text.replace(' === ', ' !== ') : `!(${text})`,
  };
}

function readSkip(reading: Reading, method: Syntax): void {
  const node = returnedBy(method.value as Syntax);
  if (!node)
    return refuse(reading, method, 'shouldSkip is more than an expression', 'write skip of the module: (request) => …');
  readCondition(reading, method, { node, text: reading.file.textOf(node) });
}

function readMessage({ file, functions, differences }: Reading, { value }: Syntax): void {
  if (!value) return;
  differences.push(FILTERS);
  const text = `function denialOf() {\n  return { statusCode: 429, message: ${file.textOf(value as Syntax)} };\n}`;
  functions.push({ option: 'body', name: 'denialOf', text });
}

/** One that only calls that of theirs. */
function readConstructor(reading: Reading, method: Syntax): void {
  const statements = method.value.body.body as Syntax[];
  const isPlain = statements.every(
    ({ expression }) => expression?.type === 'CallExpression' && expression.callee.type === 'Super',
  );
  if (!isPlain || statements.length > 1)
    refuse(
      reading,
      method,
      'the constructor of the guard does more than call that of ThrottlerGuard',
      'write what it reads with inject and useFactory of the module',
    );
}

/** The edits of a file that declares guards: functions in the place of each, and our guard by its name. */
export function guardEdits(guard: FoundGuard): Edit[] {
  const { file, node, functions } = guard;
  const statement = file.parentOf(node)!;
  const isExported = statement.type.startsWith('Export');
  const outer = isExported ? statement : node;
  const start = Math.min(outer.start, ...((node.decorators ?? []) as Syntax[]).map((each) => each.start));
  const text = [...functions.map((each) => each.text), nameText(file, guard)].join('\n\n');
  return [{ start, end: outer.end, text, isWithComments: true }];
}

/** The name of the guard, for other files, and for this one if it uses it. */
function nameText(file: SourceFile, { name, node }: FoundGuard): string {
  const { type } = file.parentOf(node)!;
  const isElsewhere = (each: Syntax) => !isIn(each, node) && !file.parentOf(each)!.type.startsWith('Export');
  const isUsed = file.referencesOf(name).some(isElsewhere);
  if (type === 'ExportDefaultDeclaration')
    return isUsed ? `const ${name} = RateLimitGuard;\n\nexport default ${name};` : 'export default RateLimitGuard;';
  const isExported = type.startsWith('Export');
  return isExported && !isUsed
    ? `export { RateLimitGuard as ${name} };`
    : `${isExported ? 'export ' : ''}const ${name} = RateLimitGuard;`;
}

/** How a file imports a function of a guard: `./guards/own.guard`. Undefined for the file that has it. */
export function guardModule(from: SourceFile, { file }: FoundGuard): string | undefined {
  if (from.path === file.path) return undefined;
  const path = relative(dirname(from.path), file.path).replace(/\.[cm]?[jt]sx?$/, '');
  const end = /from ['"]\.[^'"]*\.js['"]/.test(from.text) ? '.js' : '';
  return `${path.startsWith('.') ? path : `./${path}`}${end}`;
}
