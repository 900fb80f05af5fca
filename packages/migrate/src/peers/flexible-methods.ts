import { namesClientHeader } from '../limits/client-headers.js';
import type { Difference, LimitDraft, Unread } from '../limits/limit-draft.js';
import type { SourceFile } from '../source/source-file.js';
import { nameOf, type Syntax } from '../source/syntax.js';

const HEADER_KEY: Difference = {
  text: 'Clients can write X-Forwarded-For and its like: consume counts an address that your framework reads behind proxies that you name.',
  link: 'docs/guide/proxies.md',
};

/** `limiter.consume(key, points)`, or `limiter.delete(key)` whose result is not read. */
export function readMethod(draft: LimitDraft, reference: Syntax): void {
  const { file, edits } = draft;
  const member = file.parentOf(reference)!;
  const call = file.parentOf(member);
  const method =
    member.type === 'MemberExpression' && member.object === reference && call?.callee === member
      ? nameOf(member)
      : undefined;
  const [key, points, options] = (call?.arguments ?? []) as Syntax[];
  if (method === 'consume' && key && !options) {
    if (namesClientHeader(file.textOf(key))) draft.differs(HEADER_KEY);
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
  draft.refuse(reference, ...reasonOf(file, reference, member));
}

/** Why a limiter is not used by its methods, and what to do. */
function reasonOf(file: SourceFile, reference: Syntax, member: Syntax): [string, string] {
  const name = reference.name as string;
  if (member.type === 'Property' && nameOf(member) === 'insuranceLimiter') {
    const hand = `remove both: a process limits alone while Redis fails, by onStoreFailure, and run this again`;
    return [`${name} is the insuranceLimiter of a limit`, hand];
  }
  if (isExport(file, member, reference)) return [`${name} is exported`, EXPORTED];
  const text = file.textOf(member.type === 'MemberExpression' ? member : reference);
  return [`${text} is used`, 'look it up in "Method by method"'];
}

/** True for `module.exports = { limiter }`, `exports.limiter = limiter` and `export { limiter }`. */
function isExport(file: SourceFile, parent: Syntax, reference: Syntax): boolean {
  if (parent.type.startsWith('Export')) return true;
  const isOfObject = parent.type === 'Property' && file.parentOf(parent)?.type === 'ObjectExpression';
  const value = isOfObject ? file.parentOf(parent)! : reference;
  const outer = file.parentOf(value);
  return outer?.type === 'AssignmentExpression' && /^(module\.)?exports\b/.test(file.textOf(outer.left as Syntax));
}

/** What to do with a limiter of other files. */
export const EXPORTED = 'other files call it: export functions that call it instead, and run this again';

/** What a result has there, and not here. */
export function readFields(file: SourceFile): Unread[] {
  return file
    .nodesOf('MemberExpression', 'Property')
    .filter((node) => ['consumedPoints', 'isFirstInDuration'].includes(nameOf(node) ?? ''))
    .map((node) => ({
      line: file.lineOf(node),
      what: `${nameOf(node)} is read`,
      hand: 'use remainingPoints, or msBeforeNext',
    }));
}
