import { basename, dirname } from 'node:path';
import { importsOf } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, isIn, nameOf, type Syntax } from '../source/syntax.js';
import type { LimitDraft } from './limit-draft.js';
import type { Program } from './peer.js';

/** The methods of a limit take other arguments here, wherever the run calls them. */
export function refuseMethods(
  { run }: Program,
  drafts: readonly LimitDraft[],
  methods: readonly string[],
  hand = METHODS,
): void {
  if (drafts.length === 0) return;
  for (const file of run.files) {
    for (const member of file.nodesOf('MemberExpression')) {
      if (!methods.includes(nameOf(member) ?? '')) continue;
      for (const draft of drafts) if (isOf(draft, file, bare(member.object))) refuseMethod(draft, file, member, hand);
    }
  }
}

const METHODS = 'write limit.limiter.reset({ ip }), which takes the subject and no key; inspect shows its counts';

function refuseMethod(draft: LimitDraft, file: SourceFile, member: Syntax, hand: string): void {
  const isHere = file === draft.file;
  const place = isHere ? '' : ` in ${file.path}:${file.lineOf(member)}`;
  const what = `${file.textOf(member)} is called${place}`;
  draft.refuse(isHere ? member : draft.call, what, hand);
}

/** True where a part of a file makes this limit, or has its name. */
export function isNamedIn(draft: LimitDraft, file: SourceFile, whole: Syntax): boolean {
  if (file === draft.file && isIn(draft.call, whole)) return true;
  const names = file.nodesOf('Identifier', 'MemberExpression').filter((node) => isIn(node, whole));
  return ownName(draft.file, draft.call) !== undefined && names.some((node) => isOf(draft, file, node));
}

/** True for an object that is this limit, as far as names tell. */
function isOf(draft: LimitDraft, file: SourceFile, object: Syntax): boolean {
  const own = ownName(draft.file, draft.call);
  const name = lastName(object);
  if (file === draft.file) return own === undefined ? isUnknown(file, object) : name === own;
  const root = rootOf(object);
  const imported = importedFrom(file, draft.file).find(({ local }) => local !== undefined && local === root.name);
  if (!imported) return own !== undefined && name === own && object.type !== 'Identifier';
  return imported.exported === own || (imported.exported === 'default' && (object === root || name === own));
}

/** What a program calls a limit: its variable, field or property. Undefined for what a function returns. */
function ownName(file: SourceFile, call: Syntax): string | undefined {
  let value = call;
  let owner = file.parentOf(value);
  while (owner && /^(TS|Await|Logical|Conditional|Assignment|Chain)\w*Expression$/.test(owner.type)) {
    if (owner.type === 'AssignmentExpression') return lastName(bare(owner.left));
    [value, owner] = [owner, file.parentOf(owner)];
  }
  if (owner?.type === 'VariableDeclarator') return owner.id.name as string | undefined;
  return owner && owner.type.endsWith('Property') && owner.value === value ? nameOf(owner) : undefined;
}

function lastName(object: Syntax): string | undefined {
  if (object.type === 'Identifier') return object.name as string;
  return object.type === 'MemberExpression' ? nameOf(object) : undefined;
}

/** The object at the beginning of a chain of members. */
function rootOf(object: Syntax): Syntax {
  let inner = object;
  while (inner.type === 'MemberExpression') inner = bare(inner.object);
  return inner;
}

/** True where the file does not tell what an object is. */
function isUnknown(file: SourceFile, object: Syntax): boolean {
  const value = file.valueOf(object);
  return !value || value === object || isFunction(value) || value.type === 'CallExpression';
}

/** What a file imports from another file of the run. */
function importedFrom(file: SourceFile, from: SourceFile) {
  const module = withoutEnd(basename(from.path));
  const names = module === 'index' ? [basename(dirname(from.path)), module] : [module];
  const sources = [
    ...file.nodesOf('ImportDeclaration').map(({ source }) => source.value as string),
    ...file
      .nodesOf('CallExpression')
      .flatMap(({ callee, arguments: [first] }) =>
        callee.name === 'require' && typeof first?.value === 'string' ? [first.value as string] : [],
      ),
  ];
  return importsOf(
    file,
    sources.filter((source) => names.includes(withoutEnd(basename(source)))),
  );
}

function withoutEnd(name: string): string {
  return name.replace(/\.[cm]?[jt]sx?$/, '');
}
