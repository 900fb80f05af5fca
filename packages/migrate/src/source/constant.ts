import type { SourceFile } from './source-file.js';
import { bare, nameOf, type Syntax } from './syntax.js';

/** The value of an expression that the program itself tells. Undefined for all others. */
export type Constant = string | number | boolean | undefined;

/** Programs do not go through more names than this to write a number. */
const DEEPEST = 100;

/** Prefixes and messages are shorter, and a text that is added to itself doubles. */
const LONGEST = 10_000;

/** The values of names, each of them worked out once: `const b = a + a` would double the work with every line. */
const known = new WeakMap<SourceFile, Map<string, Constant>>();

/** The value of an expression: numbers, texts, flags and arithmetic of them. */
export function constantOf(file: SourceFile, node: Syntax): Constant {
  return valueOf(file, node, 0);
}

function valueOf(file: SourceFile, node: Syntax, depth: number): Constant {
  const inner = bare(node);
  if (depth > DEEPEST) return undefined;
  switch (inner.type) {
    case 'Identifier':
      return valueOfName(file, inner, depth);
    case 'Literal':
      return isPlain(inner.value) ? inner.value : undefined;
    case 'TemplateLiteral':
      return inner.expressions.length === 0 ? inner.quasis[0].value.cooked : undefined;
    case 'MemberExpression':
      return bare(inner.object).name === 'Number' ? NUMBERS[nameOf(inner) ?? ''] : undefined;
    case 'UnaryExpression': {
      const value = valueOf(file, inner.argument, depth + 1);
      return typeof value === 'number' && inner.operator === '-' ? -value : undefined;
    }
    case 'BinaryExpression':
      return calculate(inner.operator, valueOf(file, inner.left, depth + 1), valueOf(file, inner.right, depth + 1));
    default:
      return undefined;
  }
}

const NUMBERS: Readonly<Record<string, number | undefined>> = {
  POSITIVE_INFINITY: Infinity,
  MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
  MAX_VALUE: Number.MAX_VALUE,
};

function valueOfName(file: SourceFile, name: Syntax, depth: number): Constant {
  if (name.name === 'Infinity') return file.declarationsOf('Infinity').length === 0 ? Infinity : undefined;
  const values = known.get(file) ?? new Map<string, Constant>();
  known.set(file, values);
  if (values.has(name.name)) return values.get(name.name);
  // A name that needs itself has no value.
  values.set(name.name, undefined);
  const target = file.valueOf(name);
  const value = target && valueOf(file, target, depth + 1);
  values.set(name.name, value);
  return value;
}

export function calculate(operator: string, left: Constant, right: Constant): Constant {
  if (left === undefined || right === undefined) return undefined;
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) {
    const text = `${left}${right}`;
    return text.length > LONGEST ? undefined : text;
  }
  const [one, other] = [Number(left), Number(right)];
  if (operator === '*') return one * other;
  if (operator === '+') return one + other;
  if (operator === '-') return one - other;
  if (operator === '**') return one ** other;
  return operator === '/' ? one / other : undefined;
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
