import type { Edit } from '../source/edit.js';
import type { Imported } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import type { Syntax } from '../source/syntax.js';

/**
 * The edits that import our names in the place of theirs.
 *
 * @param wanted our names: `module name`
 */
export function importEdits(file: SourceFile, imports: readonly Imported[], wanted: ReadonlySet<string>): Edit[] {
  const edits: Edit[] = [];
  const places = [...new Set(imports.filter(({ from }) => isPlace(from)).map(({ from }) => from))];
  const modules = modulesIn(wanted);
  const [first, ...others] = places.map((from) => statementOf(file, from));
  if (!first) {
    if (modules.size === 0) return [];
    const start = bodyStart(file);
    return [{ start, end: start, text: `${importLines(file, file.text.slice(start), modules)}\n` }];
  }
  if (first.type === 'VariableDeclarator') {
    const text = [...modules].map(([module, names]) => `{ ${names.join(', ')} } = require('${module}')`).join(', ');
    edits.push({ start: first.start, end: first.end, text });
  } else {
    edits.push({ start: first.start, end: first.end, text: importLines(file, file.textOf(first), modules) });
  }
  return [...edits, ...others.map((statement) => withoutStatement(file, statement))];
}

/** The names of each module, in order. */
function modulesIn(wanted: ReadonlySet<string>): Map<string, string[]> {
  const modules = new Map<string, string[]>();
  for (const each of [...wanted].toSorted()) {
    const [module, ...name] = each.split(' ');
    modules.set(module!, [...(modules.get(module!) ?? []), name.join(' ')]);
  }
  return modules;
}

/** False for `require('module')` in an expression, which its reader replaces. */
function isPlace({ type }: Syntax): boolean {
  return ['ImportDeclaration', 'TSImportEqualsDeclaration', 'VariableDeclarator'].includes(type);
}

/** The statement of an import; its declarator beside other variables. */
function statementOf(file: SourceFile, from: Syntax): Syntax {
  const statement = from.type === 'VariableDeclarator' ? file.parentOf(from)! : from;
  return from.type === 'VariableDeclarator' && statement.declarations.length > 1 ? from : statement;
}

/** Imports in the form of a statement that they replace or stand before. */
function importLines(file: SourceFile, like: string, modules: ReadonlyMap<string, readonly string[]>): string {
  const [line = ''] = like.split('\n', 1);
  const end = /[;{,(]\s*$/.test(line) || /;\s*$/.test(like) ? ';' : '';
  const quote = /(["'])[^"']+["']/.exec(like)?.[1] ?? "'";
  const isModule = file.nodesOf('ImportDeclaration', 'TSImportEqualsDeclaration', 'ExportNamedDeclaration').length > 0;
  const isDynamic = /^\w+\s.*await import\(/s.test(like.split(';', 1)[0]!);
  return [...modules]
    .map(([module, names]) => {
      const list = names.join(', ');
      const from = `${quote}${module}${quote}`;
      if (isDynamic) return `const { ${list} } = await import(${from})${end}`;
      const isRequired = /^(const|let|var)\b/.test(like) || !isModule;
      return isRequired ? `const { ${list} } = require(${from})${end}` : `import { ${list} } from ${from}${end}`;
    })
    .join('\n');
}

/** Where statements begin behind directives. */
function bodyStart(file: SourceFile): number {
  const body = file.nodesOf('Program')[0]!.body as Syntax[];
  return body.find(({ directive }) => directive === undefined)?.start ?? 0;
}

/** A statement with its line. */
function withoutStatement({ text }: SourceFile, { start, end }: Syntax): Edit {
  const behind = /^[ \t]*\r?\n/.exec(text.slice(end));
  return { start, end: end + (behind?.[0].length ?? 0), text: '' };
}
