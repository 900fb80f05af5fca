import type { Edit } from '../source/edit.js';
import type { Imported } from '../source/imports.js';
import type { SourceFile } from '../source/source-file.js';
import type { Syntax } from '../source/syntax.js';

export interface ImportChange {
  /** What the program imports from the library. */
  readonly imports: readonly Imported[];
  /** What it still needs of that. */
  readonly kept: ReadonlySet<Imported>;
  /** Our names: `module name`. */
  readonly wanted: readonly string[];
}

/** The edits that import our names in the place of theirs. */
export function importEdits(file: SourceFile, { imports, kept, wanted }: ImportChange): Edit[] {
  const edits: Edit[] = [];
  const places = [...new Set(imports.filter(({ from }) => isPlace(from)).map(({ from }) => from))];
  const modules = modulesIn(wanted);
  const [first, ...others] = places.map((from) => statementOf(file, from));
  if (!first) {
    if (modules.size === 0) return [];
    const start = bodyStart(file);
    return [{ start, end: start, text: `${importLines(file, file.text.slice(start), modules)}\n` }];
  }
  const [firstKept = '', ...othersKept] = places.map((from) =>
    keptText(
      file,
      from,
      imports.filter((each) => each.from === from && kept.has(each)),
    ),
  );
  if (first.type === 'VariableDeclarator') {
    const own = [...modules].map(([module, names]) => `{ ${requiredNames(names)} } = require('${module}')`);
    edits.push({ start: first.start, end: first.end, text: [firstKept, ...own].filter(Boolean).join(', ') });
  } else {
    const lines = modules.size === 0 ? '' : importLines(file, file.textOf(first), modules);
    const text = [firstKept, lines].filter(Boolean).join('\n');
    edits.push(text === '' ? withoutStatement(file, first) : { start: first.start, end: first.end, text });
  }
  return [
    ...edits,
    ...others.map((statement, index) => {
      const text = othersKept[index]!;
      return text === '' ? withoutStatement(file, statement) : { start: statement.start, end: statement.end, text };
    }),
  ];
}

/** What stays of an import. Nothing, if all of its names are replaced. */
function keptText(file: SourceFile, from: Syntax, kept: readonly Imported[]): string {
  if (kept.length === 0) return '';
  const statement = statementOf(file, from);
  const locals = kept.map(({ local }) => local);
  if (from.type === 'VariableDeclarator' && from.id.type === 'ObjectPattern') {
    const names = (from.id.properties as Syntax[]).filter((each) =>
      locals.includes((each.value?.left ?? each.value)?.name as string),
    );
    const pattern = `{ ${names.map((each) => file.textOf(each)).join(', ')} }`;
    return file.text.slice(statement.start, from.id.start) + pattern + file.text.slice(from.id.end, statement.end);
  }
  const specifiers = ((from.specifiers ?? []) as Syntax[]).filter((each) => locals.includes(each.local.name as string));
  if (from.type !== 'ImportDeclaration' || specifiers.length === from.specifiers.length) return file.textOf(statement);
  const whole = specifiers.filter(({ type }) => type !== 'ImportSpecifier').map((each) => file.textOf(each));
  const named = specifiers.filter(({ type }) => type === 'ImportSpecifier').map((each) => file.textOf(each));
  const list = [...whole, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ');
  const kind = from.importKind === 'type' ? 'import type' : 'import';
  return `${kind} ${list} from ${file.text.slice(from.source.start, statement.end)}`;
}

/** The names of each module, in order. */
function modulesIn(wanted: readonly string[]): Map<string, string[]> {
  const modules = new Map<string, string[]>();
  for (const each of wanted.toSorted()) {
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
      const from = `${quote}${module}${quote}`;
      if (isDynamic) return `const { ${requiredNames(names)} } = await import(${from})${end}`;
      const isRequired = /^(const|let|var)\b/.test(like) || !isModule;
      if (isRequired) return `const { ${requiredNames(names)} } = require(${from})${end}`;
      // With verbatimModuleSyntax the other form is an import of nothing, which runs.
      const areTypes = names.every((name) => name.startsWith('type '));
      const list = names.map((name) => (areTypes ? name.replace('type ', '') : name)).join(', ');
      return `import ${areTypes ? 'type ' : ''}{ ${list} } from ${from}${end}`;
    })
    .join('\n');
}

/** The names in a pattern, which renames in another way than an import. */
function requiredNames(names: readonly string[]): string {
  return names.map((name) => name.replace(' as ', ': ')).join(', ');
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
