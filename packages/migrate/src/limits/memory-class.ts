import { importsOf, usesOf } from '../source/imports.js';
import type { Edit } from '../source/edit.js';
import type { Origin, SourceFile } from '../source/source-file.js';
import { bare, isIn, nameOf, type Syntax } from '../source/syntax.js';

/** The class of a store that a program makes: `new OwnStore()`, also of a variable that gets it later. */
export function classOfStore(file: SourceFile, value: Syntax): Origin | undefined {
  const assigned = file
    .nodesOf('AssignmentExpression')
    .filter(({ left }) => value.type === 'Identifier' && left.name === value.name)
    .map(({ right }) => bare(right as Syntax));
  const made = [file.valueOf(value), file.declared(value), ...assigned].find((each) => each?.type === 'NewExpression');
  const origin = made && file.originOf(made.callee as Syntax);
  return origin?.node.type.startsWith('Class') ? origin : undefined;
}

/** True for a class that counts in a map of its own process, as ours does without a store: it imports nothing that runs. */
export function countsInMemory({ file, node }: Origin, peer: string): boolean {
  const makesMap = file
    .nodesOf('NewExpression')
    .some((each) => isIn(each, node) && bare(each.callee as Syntax).name === 'Map');
  const counts = (node.body.body as Syntax[]).some((each) => nameOf(each) === 'increment');
  const used = file.nodesOf('ImportDeclaration').filter(({ source, specifiers }) => {
    const names = (specifiers as Syntax[]).map(({ local }) => local.name as string);
    return source.value !== peer && names.some((name) => file.referencesIn(node, name).length > 0);
  });
  return makesMap && counts && used.length === 0 && file.referencesIn(node, 'require').length === 0;
}

/** What the interface of a store has, of which a class stays that nothing counts by any more. */
const TYPES: Readonly<Record<string, string | undefined>> = {
  ClientRateLimitInfo: '{ totalHits: number; resetTime: Date | undefined }',
  IncrementResponse: '{ totalHits: number; resetTime: Date | undefined }',
};

/** The edits that take the types of a library from such classes of a file. */
export function memoryClassEdits(file: SourceFile, peer: string): Edit[] {
  const classes = file.nodesOf('ClassDeclaration').filter((node) => countsInMemory({ file, node }, peer));
  return usesOf(file, importsOf(file, [peer])).flatMap(({ exported, node }) => {
    const owner = classes.find((each) => isIn(node, each));
    const clause = owner && ((owner.implements ?? []) as Syntax[]).length === 1 && (owner.implements as Syntax[])[0]!;
    if (clause && isIn(node, clause) && exported === 'Store') {
      const start = file.text.lastIndexOf('implements', clause.start);
      return [{ start, end: clause.end + /^\s*/.exec(file.text.slice(clause.end))![0].length, text: '' }];
    }
    const text = owner && TYPES[exported];
    return text === undefined ? [] : [{ start: node.start, end: node.end, text }];
  });
}
