import type { Origin } from './source-file.js';
import type { SourceFile } from './source-file.js';
import { bare, type Syntax } from './syntax.js';

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

/** `...(redis && { store })`, `...(redis ? { store } : {})`: the option with its condition, as a choice of nothing. */
function choiceIn(file: SourceFile, { argument }: Syntax): Syntax | undefined {
  const choice = bare(argument as Syntax);
  const isAnd = choice.type === 'LogicalExpression' && choice.operator === '&&';
  const test = (isAnd ? choice.left : choice.test) as Syntax | undefined;
  const given = bare((isAnd ? choice.right : (choice.consequent ?? choice)) as Syntax);
  const other = isAnd ? undefined : choice.alternate && bare(choice.alternate as Syntax);
  const isNothing = other?.properties?.length === 0 || other?.name === 'undefined';
  const [option, ...more] = (given.type === 'ObjectExpression' ? given.properties : []) as Syntax[];
  if (!test || !(isAnd || isNothing) || option?.type !== 'Property' || more.length > 0) return undefined;
  // What is tested is the option: its own condition is the same.
  if (file.textOf(test) === file.textOf(option.value as Syntax)) return option;
  const { start, end } = choice;
  const nothing = { type: 'Identifier', name: 'undefined', start: end, end };
  return {
    ...option,
    value: { type: 'ConditionalExpression', start, end, test, consequent: option.value, alternate: nothing },
  };
}

function optionsIn(file: SourceFile, property: Syntax): readonly Syntax[] {
  const choice = property.type === 'SpreadElement' ? choiceIn(file, property) : undefined;
  if (choice) return [choice];
  if (property.type !== 'SpreadElement' || property.argument.type !== 'Identifier') return [property];
  const object = file.valueOf(property.argument);
  const isConstant = file
    .referencesOf(property.argument.name)
    .every((reference) => file.parentOf(reference)?.type === 'SpreadElement');
  return object?.type === 'ObjectExpression' && isConstant ? (object.properties as Syntax[]) : [property];
}
