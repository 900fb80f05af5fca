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
  { errorResponseBuilder: given }: GivenOptions,
  isOfPlugin: boolean,
): void {
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
  if (fn !== given.value) {
    draft.differs(STATUS_OF_ERROR);
    const text = draft.carry(given.value);
    if (text !== undefined) draft.write('onDenied', `(request) => { throw ${text}(request, ${CONTEXT}); }`);
    return;
  }
  const object = returnedBy(fn);
  // A body gets less of the request than the types of Fastify's plugins add.
  const isTyped = file.isTypeScript && request !== undefined && !isUnused(file, fn, request);
  const isBody = object?.type === 'ObjectExpression' && !isTyped && statusIn(draft, object, context) === 429;
  if (isBody && !given.property.method && !handlesErrors(draft)) return writeBody(draft, given, object);
  const name = request ? (bare(request).name as string | undefined) : 'request';
  const edits = name === undefined ? undefined : contextEdits(draft, given, context, FIELDS_OF(name));
  if (!edits || fn.async)
    return draft.refuse(
      given.property,
      'errorResponseBuilder passes its context on',
      'write onDenied: (request) => { throw … }, which reads request.rateLimit',
    );
  if (!isBody) draft.differs(STATUS_OF_ERROR);
  const isRead = edits.length > 0 || (request && !isUnused(file, fn, request));
  const parameter = request ? file.textOf(request) : 'request';
  draft.write('onDenied', `(${isRead ? parameter : ''}) => ${throwingBody(draft, fn, edits)}`);
}

function handlesErrors({ file }: LimitDraft): boolean {
  return file.application?.mentions('setErrorHandler') === true;
}

/** The body of a function that throws what another returns. */
function throwingBody(draft: LimitDraft, fn: Syntax, edits: readonly Edit[]): string {
  const { text, nodesOf } = { text: draft.file.text, nodesOf: draft.file.nodesOf.bind(draft.file) };
  if (fn.body.type !== 'BlockStatement') {
    const result = bare(fn.body as Syntax);
    return `{ throw ${edited(text, edits, result.start, result.end)}; }`;
  }
  const returns = nodesOf('ReturnStatement').filter(
    (node) => isIn(node, fn.body) && functionAround(draft.file, node) === fn,
  );
  const throwing = returns.map(({ start }) => ({ start, end: start + 'return'.length, text: 'throw' }));
  return edited(text, [...edits, ...throwing], fn.body.start, fn.body.end);
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
