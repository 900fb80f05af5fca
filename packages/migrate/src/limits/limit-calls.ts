import { bare, type Syntax } from '../source/syntax.js';
import { importsOf, usesOf, type Use } from '../source/imports.js';
import { LimitDraft, type Row } from './limit-draft.js';
import { readOptions, readSharedOptions } from './option-table.js';
import { optionEdits, optionsText } from './options-writer.js';
import type { Origin } from '../source/source-file.js';
import type { Edit } from '../source/edit.js';
import type { SourceFile } from '../source/source-file.js';
import type { Program } from './peer.js';
import { TierNames } from './tier-names.js';

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
  const own = program.uses.flatMap((use) => {
    const call = program.file.parentOf(use.node);
    const isCall =
      call?.type === 'CallExpression' && call.callee === use.node && calls.factories.includes(use.exported);
    return isCall ? [readCall(program, calls, use, call)] : [];
  });
  return [...own, ...sharedDrafts(program, calls)];
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
  const elsewhere = argument && sharedOptions(file, bare(argument));
  const object = argument && !elsewhere ? givenObject(draft, argument) : undefined;
  if (argument && !object && !elsewhere) {
    draft.refuse(argument, ...NOT_WRITTEN);
    return draft;
  }
  if (elsewhere) draft.shared = [elsewhere];
  else readSharedOptions(draft, table, object?.object);
  if (draft.shared.length > 0) readShared(draft, calls);
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
  else if (!elsewhere) draft.edits.push({ start: call.end - 1, end: call.end - 1, text: optionsText(draft) });
  return draft;
}

/** The object of options that another file of the run exports. */
function sharedOptions(file: SourceFile, argument: Syntax): Origin | undefined {
  const origin =
    argument.type === 'Identifier' || argument.type === 'MemberExpression' ? file.originOf(argument) : undefined;
  return origin && origin.file !== file && origin.node.type === 'ObjectExpression' ? origin : undefined;
}

/** A limit with options of another file is that of both: what is given here is written here. */
function readShared(draft: LimitDraft, { table }: LimitCalls): void {
  for (const { file, node } of draft.shared) {
    const probe = new LimitDraft({ file, theirs: [], names: new TierNames(), call: node });
    readOptions(probe, table, node);
    const [first] = probe.unread;
    const isBoth = table.some(
      ({ options }) => options.some((name) => draft.given[name]) && options.some((name) => probe.given[name]),
    );
    if (first) draft.refuse(draft.call, `its options in ${file.path}:${first.line} are not read`, first.hand);
    if (isBoth)
      draft.refuse(
        draft.call,
        `its options here and in ${file.path} belong together`,
        'write them into one object, and run this again',
      );
  }
  draft.keepOutputs(({ row }) => row.options.some((name) => draft.given[name]));
}

/** The objects of this file that limits of other files take as their options. */
function sharedDrafts({ file, run, peer, theirs }: Program, { factories, table, target }: LimitCalls): LimitDraft[] {
  const objects = new Map<Syntax, boolean>();
  for (const other of run.files.filter((each) => each !== file)) {
    const calls = usesOf(other, importsOf(other, [peer.name]))
      .filter(({ exported }) => factories.includes(exported))
      .map(({ node }) => other.parentOf(node)!);
    for (const name of other.names) {
      for (const node of other.referencesOf(name)) {
        const origin = sharedOptions(other, node);
        if (origin?.file !== file || !isExportedObject(file, origin.node)) continue;
        const parent = other.parentOf(node)!;
        const owner = parent.type === 'SpreadElement' ? other.parentOf(other.parentOf(parent)!)! : parent;
        objects.set(origin.node, objects.get(origin.node) !== false && calls.includes(owner));
      }
    }
  }
  return [...objects]
    .filter(([, isUsed]) => isUsed)
    .map(([object]) => {
      const draft = new LimitDraft({ file, theirs, names: run.names, call: object });
      readOptions(draft, table, object);
      draft.edits.push(...optionEdits(draft, table, object), ...typeOf(draft, object, target));
      return draft;
    });
}

function isExportedObject(file: SourceFile, object: Syntax): boolean {
  return file.nodesOf('ObjectExpression').includes(object);
}

/** The type of the object as ours. */
function typeOf(draft: LimitDraft, object: Syntax, target: string): Edit[] {
  const { file } = draft;
  const outer = file.parentOf(object)!;
  const type = (
    outer.type === 'VariableDeclarator' ? outer.id.typeAnnotation?.typeAnnotation : outer.typeAnnotation
  ) as Syntax | undefined;
  if (!type) return [];
  draft.use(target, 'type RateLimitOptions');
  const name = file.textOf(type).startsWith('Partial<') ? 'Partial<RateLimitOptions>' : 'RateLimitOptions';
  return [{ start: type.start, end: type.end, text: name }];
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
