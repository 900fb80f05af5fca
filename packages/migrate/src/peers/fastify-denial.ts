import { PROBLEM_BODY, STATUS_OF_ERROR } from '../limits/differences.js';
import {
  isUnused,
  type Difference,
  type GivenOption,
  type GivenOptions,
  type LimitDraft,
} from '../limits/limit-draft.js';
import { constantOf } from '../source/constant.js';
import { edited, type Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, isIn, nameOf, returnedBy, type Syntax } from '../source/syntax.js';

const AFTER: Difference = {
  text: "What said '1 minute' of the wait says '60 seconds'.",
  link: 'docs/guide/migrate-from-fastify-rate-limit.md',
};

const ERRORS: Difference = {
  text: 'A denial does not reach the error handler: an error that onDenied throws does.',
  link: 'docs/guide/fastify.md#answer-in-your-own-way',
};

/** An object with the status, or anything that is thrown: then ours throws it too, and error handlers get it. */
export function readBuilder(
  draft: LimitDraft,
  { errorResponseBuilder: given, onExceeded }: GivenOptions,
  isOfPlugin: boolean,
): void {
  if (!given && onExceeded) return writeError(draft, onExceeded);
  if (!given) {
    if (handlesErrors(draft)) draft.differs(ERRORS);
    if (isOfPlugin) draft.differs(PROBLEM_BODY);
    return;
  }
  const { file } = draft;
  const found = file.functionOf(given.value);
  if (!found) {
    const what = `errorResponseBuilder is ${file.textOf(given.value)}, whose code is not in the files of this run`;
    return draft.refuse(given.property, what, 'name its file too, or write onDenied: (request, reply) => …');
  }
  const { fn } = found;
  const [request, context] = fn.params as Syntax[];
  const own = fn === given.value && request ? (bare(request).name as string | undefined) : 'request';
  const log = onExceeded && own !== undefined ? logOf(draft, onExceeded, own) : '';
  if (log === undefined) return;
  if (fn !== given.value) {
    draft.differs(STATUS_OF_ERROR);
    const text = draft.carry(given.value);
    if (text !== undefined) draft.write('onDenied', `(request) => { ${log}throw ${text}(request, ${CONTEXT}); }`);
    return;
  }
  const object = returnedBy(fn);
  // A body gets less of the request than the types of Fastify's plugins add.
  const isTyped = file.isTypeScript && request !== undefined && !isUnused(file, fn, request);
  const isBody = object?.type === 'ObjectExpression' && !isTyped && statusIn(draft, object, context) === 429;
  if (isBody && log === '' && !given.property.method && !handlesErrors(draft)) return writeBody(draft, given, object);
  const edits = own === undefined ? undefined : contextEdits(draft, given, context, FIELDS_OF(own));
  if (!edits || fn.async)
    return draft.refuse(
      given.property,
      'errorResponseBuilder passes its context on',
      'write onDenied: (request) => { throw … }, which reads request.rateLimit',
    );
  if (!isBody) draft.differs(STATUS_OF_ERROR);
  const isRead = edits.length > 0 || log !== '' || (request && !isUnused(file, fn, request));
  const parameter = request ? file.textOf(request) : 'request';
  const body = throwingBody(draft, fn, edits).replace(/^\{\s*/, (start) => start + log);
  draft.write('onDenied', `(${isRead ? parameter : ''}) => ${body}`);
}

/** What the plugin throws without a function, behind a log. */
function writeError(draft: LimitDraft, onExceeded: GivenOption): void {
  const log = logOf(draft, onExceeded, 'request');
  if (log === undefined) return;
  const { after } = FIELDS_OF('request');
  draft.differs(AFTER);
  const error = `Object.assign(new Error(\`Rate limit exceeded, retry in \${${after}}\`), { statusCode: 429 })`;
  draft.write('onDenied', `(request) => { ${log}throw ${inTemplate(error)}; }`);
}

/** A template in another one is a part of it. */
function inTemplate(text: string): string {
  return text.replaceAll(/\$\{`([^`]*)`\}/g, '$1');
}

const LOGS = /^(log|trace|debug|info|warn|error|fatal)$/;

/** True for a function that only writes to a log. */
export function onlyLogs({ body }: Syntax): boolean {
  const statements = (body.type === 'BlockStatement' ? body.body : [{ expression: body }]) as Syntax[];
  return statements.every(({ expression }) => {
    const call = expression && bare(expression as Syntax);
    return (
      call?.type === 'CallExpression' && call.callee.type === 'MemberExpression' && LOGS.test(nameOf(call.callee)!)
    );
  });
}

/** The statements of `onExceeded`, for a request of this name. Undefined, and refused, where they do more than log. */
function logOf(draft: LimitDraft, { value, property }: GivenOption, name: string): string | undefined {
  const { file } = draft;
  const fn = file.valueOf(value);
  const [request, key] = fn && isFunction(fn) ? (fn.params as Syntax[]) : [];
  const isAddress = !draft.outputs.some((output) => output.name === 'key');
  const keys = key ? file.referencesIn(fn!, bare(key).name as string) : [];
  if (!fn || !isFunction(fn) || fn !== value || !onlyLogs(fn) || (keys.length > 0 && !isAddress)) {
    const what = keys.length > 0 && !isAddress ? 'reads the key' : 'does more than log';
    draft.refuse(property, `onExceeded ${what}`, 'write onDenied: (request, reply) => …, which answers too');
    return undefined;
  }
  const requests = request ? file.referencesIn(fn, bare(request).name as string) : [];
  const edits = [
    ...requests.map((node) => ({ start: node.start, end: node.end, text: name })),
    ...keys.map((node) => ({ start: node.start, end: node.end, text: `${name}.ip` })),
  ];
  const statements = (fn.body.type === 'BlockStatement' ? fn.body.body : [fn.body]) as Syntax[];
  const texts = statements.map((each) => draft.editedText(each, edits).replace(/;?$/, '; '));
  return texts.join('');
}

function handlesErrors({ file }: LimitDraft): boolean {
  return file.application?.mentions('setErrorHandler') === true;
}

/** The body of a function that throws what another returns. */
function throwingBody(draft: LimitDraft, fn: Syntax, edits: readonly Edit[]): string {
  const { text, nodesOf } = { text: draft.file.text, nodesOf: draft.file.nodesOf.bind(draft.file) };
  if (fn.body.type !== 'BlockStatement') {
    const result = bare(fn.body as Syntax);
    return `{ throw ${inTemplate(edited(text, edits, result.start, result.end))}; }`;
  }
  const returns = nodesOf('ReturnStatement').filter(
    (node) => isIn(node, fn.body) && functionAround(draft.file, node) === fn,
  );
  const throwing = returns.map(({ start }) => ({ start, end: start + 'return'.length, text: 'throw' }));
  return inTemplate(edited(text, [...edits, ...throwing], fn.body.start, fn.body.end));
}

function functionAround(file: SourceFile, node: Syntax): Syntax | undefined {
  let outer = file.parentOf(node);
  while (outer && !isFunction(outer)) outer = file.parentOf(outer);
  return outer;
}

function writeBody(draft: LimitDraft, given: GivenOption, object: Syntax): void {
  const { file } = draft;
  const fn = given.value;
  const [request, context] = fn.params as Syntax[];
  const edits = contextEdits(draft, given, context, FIELDS);
  if (!edits)
    return draft.refuse(
      given.property,
      'errorResponseBuilder passes its context on',
      'write body: ({ decision }) => …',
    );
  const text = draft.carry(object, edits);
  if (text === undefined) return;
  const isRead = request && !isUnused(file, fn, request);
  const names = [
    isRead ? (request.name === 'request' ? 'request' : `request: ${request.name}`) : '',
    edits.some((edit) => edit.text.includes('decision')) ? 'decision' : '',
  ];
  const parameter = names.some((each) => each !== '') ? `{ ${names.filter((each) => each !== '').join(', ')} }` : '';
  draft.write('body', `(${parameter}) => (${edited(file.text, edits, object.start, object.end)})`);
}

function statusIn(draft: LimitDraft, object: Syntax, context: Syntax | undefined): unknown {
  const status = (object.properties as Syntax[]).find(
    (each) => each.type === 'Property' && nameOf(each) === 'statusCode',
  );
  if (!status) return undefined;
  const isTheirs = context && draft.file.textOf(status.value) === `${context.name}.statusCode`;
  return isTheirs ? 429 : constantOf(draft.file, status.value);
}

const FIELDS: Readonly<Record<string, string>> = {
  statusCode: '429',
  ban: 'false',
  max: 'decision.binding?.limit',
  ttl: 'decision.retryAfter',
  after: '`${Math.ceil(decision.retryAfter / 1000)} seconds`',
};

/** The same of a request whose decision is known. */
function FIELDS_OF(request: string): Readonly<Record<string, string>> {
  const wait = `(${request}.rateLimit?.retryAfter ?? 0)`;
  return {
    statusCode: '429',
    ban: 'false',
    max: `(${request}.rateLimit?.binding?.limit ?? 0)`,
    ttl: wait,
    after: `\`\${Math.ceil(${wait} / 1000)} seconds\``,
  };
}

const CONTEXT = `{ ${Object.entries(FIELDS_OF('request'))
  .map(([name, text]) => `${name}: ${text}`)
  .join(', ')} }`;

/** What a body reads of the limit. Undefined if it is more than a decision has. */
function contextEdits(
  draft: LimitDraft,
  { value }: GivenOption,
  context: Syntax | undefined,
  fields: Readonly<Record<string, string>>,
): Edit[] | undefined {
  if (!context) return [];
  if (bare(context).type !== 'Identifier') return undefined;
  const edits: Edit[] = [];
  for (const reference of draft.file.referencesIn(value, context.name as string)) {
    const member = draft.file.parentOf(reference)!;
    const name = member.type === 'MemberExpression' && member.object === reference ? nameOf(member) : undefined;
    if (name === undefined || fields[name] === undefined) return undefined;
    if (name === 'after') draft.differs(AFTER);
    edits.push({ start: member.start, end: member.end, text: fields[name] });
  }
  return edits;
}
