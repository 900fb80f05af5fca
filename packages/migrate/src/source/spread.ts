import type { SourceFile } from './source-file.js';
import type { Syntax } from './syntax.js';

/** The properties of an object, with those of the constants that it spreads: `{ ...defaults, limit: 5 }`. */
export function propertiesOf(file: SourceFile, object: Syntax): readonly Spread[] {
  return (object.properties as Syntax[]).map((property) => ({ property, options: optionsIn(file, property) }));
}

/** A property of an object, and the options that it gives. */
export interface Spread {
  readonly property: Syntax;
  readonly options: readonly Syntax[];
}

function optionsIn(file: SourceFile, property: Syntax): readonly Syntax[] {
  if (property.type !== 'SpreadElement' || property.argument.type !== 'Identifier') return [property];
  const object = file.valueOf(property.argument);
  const isConstant = file
    .referencesOf(property.argument.name)
    .every((reference) => file.parentOf(reference)?.type === 'SpreadElement');
  return object?.type === 'ObjectExpression' && isConstant ? (object.properties as Syntax[]) : [property];
}
