import type { Edit } from './edit.js';
import type { SourceFile } from './source-file.js';
import { bare, childrenOf, isFunction, type Syntax } from './syntax.js';

/**
 * The edits that remove what only options needed which a translation has dropped: functions and constants of the file,
 * and imports of TypeScript, whose compiler can refuse unused ones.
 */
export function unusedEdits(before: SourceFile, after: SourceFile): Edit[] {
  const isLeft = (name: string) => before.referencesOf(name).length > 0 && !isRead(after, name);
  const statements = after.nodesOf('Program')[0]!.body as Syntax[];
  return statements.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration')
      return after.isTypeScript ? importEdits(after, statement, (each) => isLeft(each.local.name as string)) : [];
    const name = declaredBy(statement);
    return name !== undefined && isLeft(name) ? [withoutStatement(after, statement)] : [];
  });
}

function isRead(file: SourceFile, name: string): boolean {
  return file.referencesOf(name).length > 0 || file.text.includes(`<${name}`);
}

/** The name of a function, or of a constant that does nothing when it is made. */
function declaredBy({ type, id, declarations, kind }: Syntax): string | undefined {
  if (type === 'FunctionDeclaration') return id.name as string;
  const [only, ...more] = (type === 'VariableDeclaration' && kind === 'const' ? declarations : []) as Syntax[];
  const isPlain = only?.id.type === 'Identifier' && more.length === 0 && only.init && doesNothing(bare(only.init));
  return isPlain ? (only.id.name as string) : undefined;
}

function doesNothing(node: Syntax): boolean {
  if (isFunction(node)) return true;
  return (
    !/^(Call|New|Await|Assignment|Update|TaggedTemplate|Import)/.test(node.type) && childrenOf(node).every(doesNothing)
  );
}

function importEdits(file: SourceFile, statement: Syntax, isUnused: (specifier: Syntax) => boolean): Edit[] {
  const specifiers = statement.specifiers as Syntax[];
  const kept = specifiers.filter((each) => !isUnused(each));
  if (kept.length === specifiers.length) return [];
  if (kept.length === 0) return [withoutStatement(file, statement)];
  const named = kept.filter(({ type }) => type === 'ImportSpecifier').map((each) => file.textOf(each));
  const others = kept.filter(({ type }) => type !== 'ImportSpecifier').map((each) => file.textOf(each));
  const list = [...others, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ');
  const [{ length }] = /^import\s+(type\s+)?/.exec(file.textOf(statement))!;
  return [{ start: statement.start + length, end: statement.source.start as number, text: `${list} from ` }];
}

/** With its line, and the comments that stand directly before it. */
function withoutStatement(file: SourceFile, { start, end, type }: Syntax): Edit {
  let first = start;
  const isOwn = ({ end: last }: { end: number }) => /^[ \t]*\r?\n?[ \t]*$/.test(file.text.slice(last, first));
  for (const comment of type === 'ImportDeclaration' ? [] : file.comments.toReversed())
    if (comment.end <= first && isOwn(comment)) first = comment.start;
  const behind = /^[ \t]*;?[ \t]*(\r?\n){0,2}/.exec(file.text.slice(end))![0];
  const isImport = type === 'ImportDeclaration';
  const line = /^[ \t]*(\r?\n)?/.exec(file.text.slice(end))![0];
  return { start: first, end: end + (isImport ? line : behind).length, text: '' };
}
