import { constantOf } from '../source/constant.js';
import { bare, isFunction, isIn, nameOf, type Syntax } from '../source/syntax.js';
import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import { MESSAGE_ELSEWHERE, PROBLEM_BODY, STATUS_OF_ERROR } from './differences.js';
import type { GivenOption, GivenOptions, LimitDraft, Row } from './limit-draft.js';

/** What libraries of this family answer. */
const MESSAGE = "'Too many requests, please try again later.'";

export interface DenialOptions {
  /** Our function that answers with another status. */
  readonly status: (status: number, message: string) => string;
  /** Our parameter of a body, from their request. */
  readonly request: (name: string) => string;
  /** The parameters of a handler that ours has too, and the place of the one with the options. @default 3, of 4 */
  readonly parameters?: number;
  /** Which parameter lets the request continue. @default 2 */
  readonly next?: number;
}

const HAND = 'write onDenied, where status and headers are set already';

/** What a denied request gets. */
export function denialRow(options: DenialOptions): Row {
  return {
    options: ['message', 'statusCode', 'handler'],
    read: (draft, given) => {
      const { message, statusCode, handler } = given;
      if (handler) return readHandler(draft, handler, given, options);
      const status = statusCode ? constantOf(draft.file, statusCode.value) : 429;
      if (typeof status !== 'number') return draft.refuse(statusCode!.property, 'statusCode is no number', HAND);
      if (status !== 429) {
        const text = message ? plainMessage(draft, message) : MESSAGE;
        return text === undefined ? undefined : draft.write('onDenied', options.status(status, text));
      }
      if (message) readMessage(draft, message, options);
      else draft.differs(PROBLEM_BODY);
    },
  };
}

function readMessage(draft: LimitDraft, given: GivenOption, { request }: DenialOptions): void {
  const fn = draft.file.valueOf(given.value);
  const text =
    fn && isFunction(fn) ? draft.carryFunction(given, { parameters: 1, first: request }) : plainMessage(draft, given);
  if (text !== undefined) draft.write('body', text);
}

/** A message that is the same for all. */
function plainMessage(draft: LimitDraft, { value }: GivenOption): string | undefined {
  const known = draft.file.valueOf(value);
  // `MESSAGES.limited`, a parameter, or the name of another file: it may be a function there.
  if (!known || !/Literal$|^(Object|Binary|New)Expression$/.test(known.type)) draft.differs(MESSAGE_ELSEWHERE);
  return draft.carry(value);
}

/** A handler that sets its status, as ours may, or fails, and does not let the request continue. */
function readHandler(draft: LimitDraft, handler: GivenOption, given: GivenOptions, options: DenialOptions): void {
  const { parameters = 3, next = 2 } = options;
  const { file } = draft;
  const fn = file.valueOf(handler.value);
  if (!fn || !isFunction(fn))
    return draft.refuse(
      handler.value,
      `handler is ${file.textOf(handler.value)}, whose code is not in this file`,
      HAND,
    );
  const params = fn.params as Syntax[];
  const passed = params[next] ? passedOn(draft, fn, params[next]) : [];
  if (!passed) return draft.refuse(params[next]!, 'handler lets some of the denied requests continue', SKIPPED);
  const isFailing = passed.length > 0 || throwsIn(file, fn);
  if (isFailing) draft.differs(STATUS_OF_ERROR);
  else if (!setsStatus(draft, fn) && !answersElsewhere(draft, fn, params[next - 1] ?? params[0], params[parameters]))
    return;
  const edits = params[parameters] ? usedOptions(draft, fn, params[parameters], given) : [];
  if (!edits) return draft.refuse(params[parameters]!, 'handler reads the options', HAND);
  if (edits.length > 0 && fn !== handler.value) return draft.refuse(handler.value, 'handler reads the options', HAND);
  const text = draft.carryFunction(handler, { parameters: passed.length > 0 ? next + 1 : next, edits });
  if (text !== undefined) draft.write('onDenied', text);
}

const SKIPPED = 'write skip, or a limit function that returns null, for the requests that may continue';

/** The calls of `next` with an error, which ours passes on too. Undefined where a request may continue. */
function passedOn({ file }: LimitDraft, fn: Syntax, parameter: Syntax): Syntax[] | undefined {
  const calls = file.referencesIn(fn, bare(parameter).name as string).map((reference) => file.parentOf(reference)!);
  const isError = (call: Syntax) =>
    call.type === 'CallExpression' && isSomething(call.arguments[0] as Syntax | undefined);
  return calls.every(isError) ? calls : undefined;
}

function isSomething(argument: Syntax | undefined): boolean {
  return argument !== undefined && argument.name !== 'undefined' && argument.value !== null;
}

function throwsIn(file: SourceFile, fn: Syntax): boolean {
  return file.nodesOf('ThrowStatement').some((node) => isIn(node, fn));
}

/** False, and refused, for a handler that leaves the status of the response, which is 200 there and 429 here. */
function answersElsewhere(
  draft: LimitDraft,
  fn: Syntax,
  response: Syntax | undefined,
  options: Syntax | undefined,
): boolean {
  const calls = callsWith(draft, fn, response).filter(({ callee }) => rootNameOf(callee as Syntax) !== options?.name);
  const [called] = calls;
  if (!called) {
    const what = 'handler sets no status, so a denied request gets 200 today, and would get 429';
    draft.refuse(fn, what, 'set the status in it: response.status(429), and run this again');
    return false;
  }
  const isSet = calls.some(({ callee }) => {
    const found = draft.file.functionOf(callee as Syntax);
    return found && setsStatus(found, found.fn);
  });
  if (isSet) return true;
  const name = draft.file.textOf(called.callee as Syntax);
  draft.refuse(
    fn,
    `whether ${name} sets the status is not seen`,
    `if it does, write onDenied: ${onDeniedOf(draft, fn)}`,
  );
  return false;
}

function onDeniedOf({ file }: LimitDraft, fn: Syntax): string {
  const text = file.textOf(fn);
  return text.length > 60 || text.includes('\n') ? '(request, response) => …' : text;
}

/** The edits that write what a handler reads of its options. Undefined where it reads more than status and message. */
function usedOptions(draft: LimitDraft, fn: Syntax, parameter: Syntax, given: GivenOptions): Edit[] | undefined {
  const { file } = draft;
  const texts: Readonly<Record<string, string | undefined>> = {
    statusCode: given.statusCode ? file.textOf(given.statusCode.value) : '429',
    message: given.message ? plainMessage(draft, given.message) : MESSAGE,
  };
  const edits: Edit[] = [];
  for (const reference of file.referencesIn(fn, parameter.name as string)) {
    const member = file.parentOf(reference)!;
    if (edits.some((edit) => edit.start <= member.start && member.end <= edit.end)) continue;
    const choice = choiceOfMessage(file, member);
    if (choice && texts['message'] !== undefined && isText(draft, given)) {
      edits.push({ start: choice.start, end: choice.end, text: texts['message'] });
      continue;
    }
    const text =
      member.type === 'MemberExpression' && member.object === reference ? texts[nameOf(member) ?? ''] : undefined;
    if (text === undefined) return undefined;
    edits.push({ start: member.start, end: member.end, text });
  }
  return edits;
}

/** `typeof options.message === 'function' ? await options.message(c) : options.message` */
function choiceOfMessage(file: SourceFile, member: Syntax): Syntax | undefined {
  const test = file.parentOf(file.parentOf(member)!);
  const choice = test && file.parentOf(test);
  if (!test || choice?.type !== 'ConditionalExpression' || choice.test !== test) return undefined;
  return /^typeof [\w.]+\.message ===? ['"]function['"]$/.test(file.textOf(test)) ? choice : undefined;
}

/** True for a message that the program tells: no function. */
function isText({ file }: LimitDraft, { message }: GivenOptions): boolean {
  return message === undefined || constantOf(file, message.value) !== undefined;
}

/** The calls that a handler passes the response to. */
function callsWith({ file }: LimitDraft, fn: Syntax, response: Syntax | undefined): Syntax[] {
  const name = response && (bare(response).name as string | undefined);
  const calls = file.nodesOf('CallExpression').filter((call) => isIn(call, fn));
  return calls.filter(({ arguments: given }) =>
    (given as Syntax[]).some((each) => name !== undefined && each.type === 'Identifier' && each.name === name),
  );
}

/** `options` of `options.message` */
function rootNameOf(callee: Syntax): string | undefined {
  const inner = bare(callee);
  return inner.type === 'MemberExpression' ? rootNameOf(inner.object as Syntax) : (inner.name as string | undefined);
}

function setsStatus({ file }: { readonly file: SourceFile }, fn: Syntax): boolean {
  return file
    .nodesOf('MemberExpression')
    .some(
      (node) =>
        isIn(node, fn) &&
        /^(status|sendStatus|writeHead|statusCode|redirect|json|text|body|newResponse)$/.test(nameOf(node) ?? '') &&
        isSetting(file.parentOf(node)!, node),
    );
}

/** A call of `status`, or an assignment to `statusCode`. */
function isSetting(parent: Syntax, node: Syntax): boolean {
  const name = nameOf(node);
  if (parent.type === 'CallExpression' && parent.callee === node) {
    // `c.json(body, 429)`
    const isAnswer = ['json', 'text', 'body', 'newResponse'].includes(name ?? '');
    return !isAnswer || parent.arguments.length > 1;
  }
  return name === 'statusCode' && parent.type === 'AssignmentExpression' && parent.left === node;
}
