import { bare, type Syntax } from '../source/syntax.js';
import type { Use } from '../source/imports.js';
import { LimitDraft, type Row } from './limit-draft.js';
import { optionEdits, optionsText } from './options-writer.js';
import type { Edit } from '../source/edit.js';
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
  const object = argument && objectOf(draft, argument);
  if (argument && !object) {
    draft.refuse(
      argument,
      'the options are not written in this file, or used twice',
      'write them into the call, and run this again',
    );
    return draft;
  }
  draft.read(table, object);
  if (draft.unread.length > 0) return draft;
  draft.use(target, ours);
  // Ours has no type arguments.
  draft.edits.push({
    start: node.start,
    end: (call.typeArguments ?? call.typeParameters ?? node).end,
    text: ours,
    ours,
  });
  if (object) draft.edits.push(...optionEdits(draft, table, object));
  else draft.edits.push({ start: call.end - 1, end: call.end - 1, text: optionsText(draft) });
  return draft;
}

/** The object of options: in the call, or a constant that is used there alone. */
export function objectOf({ file }: LimitDraft, argument: Syntax): Syntax | undefined {
  const given = bare(argument);
  if (given.type === 'ObjectExpression') return given;
  const value = file.valueOf(given);
  const [declaration] = given.type === 'Identifier' ? file.declarationsOf(given.name) : [];
  const isAlone = declaration && !declaration.typeAnnotation && file.referencesOf(given.name).length === 1;
  return isAlone && value?.type === 'ObjectExpression' ? value : undefined;
}
