import { bare, type Syntax } from '../source/syntax.js';
import type { Use } from '../source/imports.js';
import { LimitDraft, type Row } from './limit-draft.js';
import { optionEdits, optionsText } from './options-writer.js';
import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import type { Program } from './peer.js';

export interface LimitCalls {
  /** What the library exports as the function that makes a limit. */
  readonly factories: readonly string[];
  readonly table: readonly Row[];
  /** Our function, and the module that has it. */
  readonly ours: string;
  readonly target: string;
  /** Edits of the whole program, which functions in options need too. */
  readonly everywhere?: readonly Edit[];
}

/** Reads each call that makes a limit. */
export function readCalls(program: Program, calls: LimitCalls): LimitDraft[] {
  return program.uses.flatMap((use) => {
    const call = program.file.parentOf(use.node);
    const isCall =
      call?.type === 'CallExpression' && call.callee === use.node && calls.factories.includes(use.exported);
    return isCall ? [readCall(program, calls, use, call)] : [];
  });
}

function readCall(
  { file, theirs, run: { names } }: Program,
  calls: LimitCalls,
  { node }: Use,
  call: Syntax,
): LimitDraft {
  const { table, ours, target, everywhere = [] } = calls;
  const draft = new LimitDraft({ file, theirs, names, call, everywhere });
  const [argument] = call.arguments as Syntax[];
  const object = argument && givenObject(draft, argument);
  if (argument && !object) {
    draft.refuse(argument, ...NOT_WRITTEN);
    return draft;
  }
  draft.read(table, object?.object);
  if (draft.unread.length > 0) return draft;
  draft.use(target, ours);
  // Ours has no type arguments.
  draft.edits.push({
    start: node.start,
    end: (call.typeArguments ?? call.typeParameters ?? node).end,
    text: ours,
    ours,
  });
  if (object) draft.edits.push(...givenEdits(draft, table, argument!, object));
  else draft.edits.push({ start: call.end - 1, end: call.end - 1, text: optionsText(draft) });
  return draft;
}

/** Why options are not read. */
export const NOT_WRITTEN = [
  'the options are not an object of this file',
  'write them into the call, and run this again',
] as const;

/** The options of a call. */
export interface GivenObject {
  readonly object: Syntax;
  /** True for a constant that the program needs elsewhere too: then ours are written into the call. */
  readonly isShared: boolean;
  /** The type of the library that the constant has, which its new value is not of. */
  readonly type?: Syntax | undefined;
}

/** The object of options: in the call, or a constant. */
export function givenObject({ file }: LimitDraft, argument: Syntax): GivenObject | undefined {
  const given = bare(argument);
  if (given.type === 'ObjectExpression') return { object: given, isShared: false };
  const object = given.type === 'Identifier' ? file.valueOf(given) : undefined;
  const [declaration] = given.type === 'Identifier' ? file.declarationsOf(given.name) : [];
  if (object?.type !== 'ObjectExpression' || !declaration) return undefined;
  const references = file.referencesOf(given.name);
  const isExported = file.parentOf(file.parentOf(file.parentOf(declaration)!)!)?.type.startsWith('Export') === true;
  const isShared = references.length > 1 || isExported;
  const isRead = references.every((each) => each === given || isReadOf(file, each));
  return isRead ? { object, isShared, type: declaration.typeAnnotation as Syntax | undefined } : undefined;
}

/** A member that is read, or a spread: the constant stays what it is. */
function isReadOf(file: SourceFile, reference: Syntax): boolean {
  const member = file.parentOf(reference)!;
  if (member.type === 'SpreadElement' || member.type.startsWith('Export')) return true;
  if (/^(Call|New)Expression$/.test(member.type)) return (member.arguments as Syntax[]).includes(reference);
  const outer = file.parentOf(member);
  return member.type === 'MemberExpression' && !(outer?.type === 'AssignmentExpression' && outer.left === member);
}

/** The edits that write our options where theirs are. */
export function givenEdits(
  draft: LimitDraft,
  table: readonly Row[],
  argument: Syntax,
  { object, isShared, type }: GivenObject,
): Edit[] {
  const { start, end } = argument;
  if (isShared) return [{ start, end, text: optionsText(draft) }];
  const types = type ? [{ start: type.start, end: type.end, text: '' }] : [];
  return [...optionEdits(draft, table, object), ...types];
}

/** The object of options: in the call, or a constant that is used there alone. */
export function objectOf(draft: LimitDraft, argument: Syntax): Syntax | undefined {
  const given = givenObject(draft, argument);
  return given && !given.isShared && !given.type ? given.object : undefined;
}
