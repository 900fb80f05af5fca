import type { Origin } from './source-file.js';
import type { SourceFile } from './source-file.js';
import type { Syntax } from './syntax.js';

/** The properties of an object, with those of the constants that it spreads: `{ ...defaults, limit: 5 }`. */
export function propertiesOf(file: SourceFile, object: Syntax): readonly Spread[] {
  return (object.properties as Syntax[]).map((property) => {
    const shared = sharedIn(file, property);
    return shared ? { property, options: [], shared } : { property, options: optionsIn(file, property) };
  });
}

/** A property of an object, and the options that it gives. */
export interface Spread {
  readonly property: Syntax;
  readonly options: readonly Syntax[];
  /** An object of another file, which is translated there. */
  readonly shared?: Origin;
}

function sharedIn(file: SourceFile, property: Syntax): Origin | undefined {
  if (property.type !== 'SpreadElement') return undefined;
  const origin = file.originOf(property.argument as Syntax);
  return origin && origin.file !== file && origin.node.type === 'ObjectExpression' ? origin : undefined;
}

function optionsIn(file: SourceFile, property: Syntax): readonly Syntax[] {
  if (property.type !== 'SpreadElement' || property.argument.type !== 'Identifier') return [property];
  const object = file.valueOf(property.argument);
  const isConstant = file
    .referencesOf(property.argument.name)
    .every((reference) => file.parentOf(reference)?.type === 'SpreadElement');
  return object?.type === 'ObjectExpression' && isConstant ? (object.properties as Syntax[]) : [property];
}
