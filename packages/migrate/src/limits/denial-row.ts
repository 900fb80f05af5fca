import { constantOf } from '../source/constant.js';
import { bare, isFunction, isIn, nameOf, type Syntax } from '../source/syntax.js';
import type { Edit } from '../source/edit.js';
import { MESSAGE_ELSEWHERE, PROBLEM_BODY } from './differences.js';
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
function plainMessage(draft: LimitDraft, { name, value }: GivenOption): string | undefined {
  // `MESSAGES.limited` of an object, or of another file.
  if (value.type === 'MemberExpression') {
    draft.differs(MESSAGE_ELSEWHERE);
    return draft.carry(value);
  }
  const known = draft.file.valueOf(value);
  if (!known || !['Literal', 'TemplateLiteral', 'ObjectExpression', 'BinaryExpression'].includes(known.type)) {
    draft.refuse(value, `${name} is not written in this file`, 'write body');
    return undefined;
  }
  return draft.carry(value);
}

/** A handler that sets its status, as ours may, and does not let the request continue. */
function readHandler(draft: LimitDraft, handler: GivenOption, given: GivenOptions, options: DenialOptions): void {
  const { parameters = 3, next = 2 } = options;
  const { file } = draft;
  const fn = file.valueOf(handler.value);
  if (!fn || !isFunction(fn)) return draft.refuse(handler.value, 'handler is not a function of this file', HAND);
  const params = fn.params as Syntax[];
  if (params[next] && !draft.isUnused(fn, params[next])) {
    return draft.refuse(params[next], 'handler lets the request continue, or fail', HAND);
  }
  if (!setsStatus(draft, fn)) {
    const called = calledWith(draft, fn, params[next - 1] ?? params[0]);
    return called === undefined
      ? draft.refuse(fn, 'handler sets no status, and ours is 429 before it runs', HAND)
      : draft.refuse(fn, `whether ${called} sets the status is not seen`, `if it does, ${HAND}`);
  }
  const edits = params[parameters] ? usedOptions(draft, fn, params[parameters], given) : [];
  if (!edits) return draft.refuse(params[parameters]!, 'handler reads the options', HAND);
  if (edits.length > 0 && fn !== handler.value) return draft.refuse(handler.value, 'handler reads the options', HAND);
  const text = draft.carryFunction(handler, { parameters: next, edits });
  if (text !== undefined) draft.write('onDenied', text);
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
    const text =
      member.type === 'MemberExpression' && member.object === reference ? texts[nameOf(member) ?? ''] : undefined;
    if (text === undefined) return undefined;
    edits.push({ start: member.start, end: member.end, text });
  }
  return edits;
}

/** The function that a handler passes the response to. */
function calledWith({ file }: LimitDraft, fn: Syntax, response: Syntax | undefined): string | undefined {
  const name = response && (bare(response).name as string | undefined);
  const calls = file.nodesOf('CallExpression').filter((call) => isIn(call, fn));
  const call = calls.find(({ arguments: given }) =>
    (given as Syntax[]).some((each) => name !== undefined && each.type === 'Identifier' && each.name === name),
  );
  return call && file.textOf(call.callee);
}

function setsStatus({ file }: LimitDraft, fn: Syntax): boolean {
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
