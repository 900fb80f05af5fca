import { dirname, join } from 'node:path/posix';
import type { Origin, OtherFiles, SourceFile } from './source-file.js';
import { bare, nameOf, type Syntax } from './syntax.js';

/** Programs go through fewer files that only pass a name on. */
const DEEPEST = 5;

/** The files of a run, which import from each other. A file is read when one that is read imports from it. */
export class Application implements OtherFiles {
  readonly #read: (path: string) => SourceFile | undefined;
  readonly #texts: ReadonlyMap<string, string>;
  /** The paths without their ends. */
  readonly #paths: ReadonlyMap<string, string>;

  constructor(texts: ReadonlyMap<string, string>, read: (path: string) => SourceFile | undefined) {
    this.#read = read;
    this.#texts = texts;
    this.#paths = new Map([...texts.keys()].map((path) => [withoutEnd(join('/', path)), path]));
  }

  /** The files that have a word. */
  pathsOf(word: string): string[] {
    return [...this.#texts].filter(([, text]) => text.includes(word)).map(([path]) => path);
  }

  mentions(word: string): boolean {
    return this.pathsOf(word).length > 0;
  }

  /** What an imported name stands for, if a file of the run exports it. */
  originOf(file: SourceFile, name: string, depth = 0): Origin | undefined {
    const imported = depth > DEEPEST ? undefined : importIn(file, name);
    const target = imported && this.fileOf(file, imported.module);
    return target && this.exportOf(target, imported.exported, depth + 1);
  }

  /** The file that a module is, seen from a file. */
  fileOf(from: SourceFile, module: string): SourceFile | undefined {
    const path = /^\.\.?(\/|$)/.test(module)
      ? this.#pathOf(withoutEnd(join('/', dirname(from.path), module)))
      : this.#aliased(module);
    return path === undefined ? undefined : this.#read(path);
  }

  /** What a file exports by a name: `default` for the whole of CommonJS too. */
  exportOf(file: SourceFile, exported: string, depth = 0): Origin | undefined {
    if (depth > DEEPEST) return undefined;
    const value = exportedValue(file, exported);
    if (value?.type === 'Identifier') {
      const known = file.declared(value);
      return known ? { file, node: known } : this.originOf(file, value.name as string, depth + 1);
    }
    if (value) return { file, node: value };
    const passedOn = file.nodesOf('ExportNamedDeclaration', 'ExportAllDeclaration').filter(({ source }) => source);
    for (const { source, specifiers, type } of passedOn) {
      const specifier = ((specifiers ?? []) as Syntax[]).find((each) => each.exported?.name === exported);
      const target =
        specifier || type === 'ExportAllDeclaration' ? this.fileOf(file, source.value as string) : undefined;
      const found = target && this.exportOf(target, (specifier?.local.name as string) ?? exported, depth + 1);
      if (found) return found;
    }
    return undefined;
  }

  #pathOf(path: string): string | undefined {
    return this.#paths.get(path) ?? this.#paths.get(`${path}/index`);
  }

  /** `@/config/env`, `src/config/env`: the one file whose path ends so. */
  #aliased(module: string): string | undefined {
    if (!/^([@~#][\w-]*\/|src\/|#)/.test(module)) return undefined;
    const end = withoutEnd(module.replace(/^[@~#]\/?/, ''));
    const found = [...this.#paths].filter(([path]) => path.endsWith(`/${end}`) || path.endsWith(`/${end}/index`));
    return found.length === 1 ? found[0]![1] : undefined;
  }
}

interface ImportedName {
  readonly module: string;
  readonly exported: string;
}

function importIn(file: SourceFile, name: string): ImportedName | undefined {
  for (const declaration of file.declarationsOf(name)) {
    const specifier = file.parentOf(declaration)!;
    const statement = file.parentOf(specifier);
    if (statement?.type === 'ImportDeclaration') {
      const exported = specifier.type === 'ImportSpecifier' ? (specifier.imported.name as string) : 'default';
      return { module: statement.source.value as string, exported };
    }
    // `const { limits } = require('./config')`, `const limits = require('./config')`
    const isWhole = specifier.type === 'VariableDeclarator';
    const owner = isWhole ? specifier : statement && file.parentOf(statement);
    const call = owner?.type === 'VariableDeclarator' ? (owner.init as Syntax | null) : undefined;
    const [module] = (
      call?.type === 'CallExpression' && call.callee.name === 'require' ? call.arguments : []
    ) as Syntax[];
    if (typeof module?.value === 'string')
      return { module: module.value, exported: isWhole ? 'default' : (nameOf(specifier) ?? '…') };
  }
  return undefined;
}

function exportedValue(file: SourceFile, exported: string): Syntax | undefined {
  for (const { declaration, specifiers, source } of file.nodesOf('ExportNamedDeclaration')) {
    const own = (declaration?.declarations ?? (declaration ? [declaration] : [])) as Syntax[];
    const found = own.find(({ id }) => id?.name === exported);
    if (found) return found.type === 'VariableDeclarator' ? ((found.init as Syntax | null) ?? undefined) : found;
    const specifier = source
      ? undefined
      : ((specifiers ?? []) as Syntax[]).find((each) => each.exported.name === exported);
    if (specifier) return specifier.local as Syntax;
  }
  if (exported === 'default') {
    const [statement] = file.nodesOf('ExportDefaultDeclaration');
    if (statement) return bare(statement.declaration as Syntax);
  }
  return assignedValue(file, exported);
}

/** `module.exports = { limiter }`, `exports.limiter = …`, and for the default `module.exports = …`. */
function assignedValue(file: SourceFile, exported: string): Syntax | undefined {
  for (const { left, right } of file.nodesOf('AssignmentExpression')) {
    const target = file.textOf(left as Syntax);
    if (target === `exports.${exported}` || target === `module.exports.${exported}`) return bare(right as Syntax);
    if (target !== 'module.exports') continue;
    if (exported === 'default') return bare(right as Syntax);
    const properties = (right.type === 'ObjectExpression' ? right.properties : []) as Syntax[];
    const found = properties.find((each) => each.type === 'Property' && nameOf(each) === exported);
    if (found) return bare(found.value as Syntax);
  }
  return undefined;
}

function withoutEnd(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '');
}
