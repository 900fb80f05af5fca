import type { SourceFile } from './source-file.js';
import { bare, nameOf, type Syntax } from './syntax.js';

/** A name that a program takes from a module. */
export interface Imported {
  readonly module: string;
  /** As the module exports it: `default` for a whole module too, because CommonJS does not tell them apart. */
  readonly exported: string;
  /** Undefined for `require('module')` in an expression. */
  readonly local: string | undefined;
  /** The import, the declarator of a `require`, or the expression. */
  readonly from: Syntax;
}

/** A place where a program uses a name of a module. */
export interface Use {
  readonly imported: Imported;
  readonly exported: string;
  /** The name, or the member of the module: `limits.rateLimit`. */
  readonly node: Syntax;
}

/** What a program takes from modules. */
export function importsOf(file: SourceFile, modules: readonly string[]): Imported[] {
  const declared = file
    .nodesOf('ImportDeclaration')
    .filter(({ source }) => modules.includes(source.value))
    .flatMap((from) =>
      (from.specifiers as Syntax[]).map((specifier) => ({
        module: from.source.value as string,
        exported:
          specifier.type === 'ImportSpecifier' ? (specifier.imported.name ?? specifier.imported.value) : 'default',
        local: specifier.local.name as string,
        from,
      })),
    );
  const assigned = file.nodesOf('TSImportEqualsDeclaration').flatMap((from) => {
    const module = from.moduleReference.expression?.value as string;
    return modules.includes(module) ? [{ module, exported: 'default', local: from.id.name as string, from }] : [];
  });
  const required = file.nodesOf('CallExpression', 'ImportExpression').flatMap((call) => {
    const isRequire =
      call.type === 'ImportExpression' || (call.callee.type === 'Identifier' && call.callee.name === 'require');
    const module = ((call.source ?? call.arguments?.[0]) as Syntax | undefined)?.value as string;
    return isRequire && modules.includes(module) ? requiredNames(file, call, module) : [];
  });
  return [...declared, ...assigned, ...required];
}

function requiredNames(file: SourceFile, call: Syntax, module: string): Imported[] {
  let value = call;
  let outer = file.parentOf(value)!;
  if (outer.type === 'AwaitExpression') [value, outer] = [outer, file.parentOf(outer)!];
  let exported = 'default';
  if (outer.type === 'MemberExpression' && outer.object === value) {
    exported = nameOf(outer) ?? exported;
    [value, outer] = [outer, file.parentOf(outer)!];
  }
  if (outer.type !== 'VariableDeclarator' || outer.init !== value)
    return [{ module, exported, local: undefined, from: value }];
  if (outer.id.type === 'Identifier') return [{ module, exported, local: outer.id.name, from: outer }];
  return (outer.id.properties as Syntax[]).map((property) => ({
    module,
    exported: (property.type === 'Property' && nameOf(property)) || '…',
    local: property.type === 'Property' ? bare(property.value).name : undefined,
    from: outer,
  }));
}

/** Every place where a program uses a name that it imports. */
export function usesOf(file: SourceFile, imports: readonly Imported[]): Use[] {
  return imports.flatMap((imported) => {
    const { exported, local, from } = imported;
    if (local === undefined) return from.type === 'VariableDeclarator' ? [] : [{ imported, exported, node: from }];
    return file.referencesOf(local).map((node) => {
      const parent = file.parentOf(node);
      const member =
        exported === 'default' && parent?.type === 'MemberExpression' && parent.object === node ? parent : undefined;
      const name = member && nameOf(member);
      return name === undefined ? { imported, exported, node } : { imported, exported: name, node: member! };
    });
  });
}
