import { constantOf } from '../source/constant.js';
import { isCalledInPlace, readsParameters, repeatedFunctionsAround } from '../source/scope.js';
import type { SourceFile } from '../source/source-file.js';
import { bare, isFunction, resultsOf, type Syntax } from '../source/syntax.js';
import type { Difference, LimitDraft } from './limit-draft.js';
import { nameable } from './tier-names.js';

/** The keys of a limit in Redis. Other libraries write one prefix; ours has the prefix of a program and a name. */
export interface KeySpace {
  /** The text of our `prefix`. */
  readonly prefix?: string | undefined;
  /** What the name is taken from, if it is the same in each run of the call. */
  readonly name?: string | undefined;
  /** The text of our `name`, if it is an expression. */
  readonly nameText?: string | undefined;
  /** The prefix of the library, which is one count for all limits that have it. */
  readonly theirs: string;
}

/** A piece of a prefix: text, or an expression. */
type Part = string | Syntax;

const DYNAMIC: Difference = {
  text: 'A prefix that the file does not tell must have 1 to 32 printable characters without braces and spaces; a name up to 64.',
  link: 'docs/reference/limiter.md#options',
};

const APART: Difference = {
  text: 'Limits of one prefix shared a count in Redis, and now each counts alone: give them one limiter to share it.',
  link: 'docs/reference/limiter.md#options',
};

const DEEPEST = 8;

/** What a prefix of ours may be. */
const PREFIX = /^[\x21-\x7a\x7c\x7e]{1,32}$/;

/** How a library makes prefixes. */
export interface PrefixHabits {
  /** What they begin with, and names of ours do not. */
  readonly word?: string;
  readonly byDefault: string;
  /** What the parameters of a function stand for that makes the store. */
  readonly bindings?: ReadonlyMap<string, Syntax>;
}

/** A prefix of another library as ours, without the word that it begins with. Undefined, and refused, where it cannot be carried. */
export function keySpaceOf(
  draft: LimitDraft,
  node: Syntax | undefined,
  { word = '', byDefault, bindings = new Map() }: PrefixHabits,
): KeySpace | undefined {
  if (!node) return { theirs: byDefault };
  const bound = partsOf(draft.file, node, 0).flatMap((part) => {
    const value = typeof part === 'string' ? undefined : bindings.get(part.name as string);
    return value ? partsOf(draft.file, value, 0) : [part];
  });
  const theirs = bound.map((part) => (typeof part === 'string' ? part : draft.file.textOf(part))).join('');
  const [first, ...others] = joinedParts(bound);
  const isWord = typeof first === 'string' && first.startsWith(word);
  const parts = trimmed(isWord ? [first.slice(word.length), ...others] : [first!, ...others]);
  if (isPlain(parts)) return { name: parts.join(''), theirs };
  draft.differs(DYNAMIC);
  const functions = repeatedFunctionsAround(draft.file, draft.call);
  const isOwn = (part: Part) => typeof part !== 'string' && readsParameters(draft.file, part, functions);
  // What stays the same in a process is its prefix; what a caller of the function passes is the name of a limit.
  const firstOwn = parts.findIndex(isOwn);
  const steady = firstOwn === -1 ? parts : parts.slice(0, firstOwn);
  const end = steady.findLastIndex((part) => typeof part !== 'string') + 1;
  const prefix = textOf(draft, trimmed(parts.slice(0, end)));
  const name = trimmed(parts.slice(end));
  const nameText = isPlain(name) ? '' : textOf(draft, name);
  if (prefix === undefined || nameText === undefined) return undefined;
  return {
    prefix: prefix || undefined,
    name: isPlain(name) ? name.join('') : undefined,
    nameText: nameText || undefined,
    theirs,
  };
}

/** The prefix that a program writes for all of its limits, or nothing. Undefined, and refused, where it cannot be carried. */
export function prefixText(draft: LimitDraft, node: Syntax): string | undefined {
  const parts = trimmed(partsOf(draft.file, node, 0));
  if (!isPlain(parts)) {
    draft.differs(DYNAMIC);
    return textOf(draft, parts);
  }
  const text = parts.join('');
  if (text === '') return '';
  if (PREFIX.test(text)) return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  draft.refuse(node, `the prefix '${text}' has other characters than ours, or more than 32`, 'write prefix');
  return undefined;
}

const NUMBERS = ['limit', 'max', 'windowMs', 'points', 'duration'];

/** Writes the name of a limit, and the prefix. @param own the name that the program has for it */
export function writeKeySpace(draft: LimitDraft, node: Syntax, space: KeySpace, own?: string): void {
  const { file, given, call } = draft;
  const functions = repeatedFunctionsAround(file, call);
  const numbers = NUMBERS.flatMap((name) => given[name]?.value ?? []);
  if (isCalledInPlace(file, call)) {
    const hand = 'make it once, with functions of the request as its limit and key, and run this again';
    return draft.refuse(call, 'the limit is made for each request', hand);
  }
  if (space.nameText !== undefined && own !== undefined)
    return draft.refuse(node, 'the limit has a name and a prefix that its function gets', 'write name');
  const { nameText = keyName(draft, functions) } = space;
  // Two budgets of one name are one, or an error where their numbers differ.
  if (nameText === undefined && numbers.some((number) => readsParameters(file, number, functions))) {
    const hand = 'give each store a prefix of its own, such as prefix: `rl:${kind}:`, and run this again';
    return draft.refuse(node, 'several limits may be made here, which would share one name', hand);
  }
  if (nameText === undefined && draft.sharesKeys(space.theirs)) draft.differs(APART);
  if (nameText !== space.nameText) draft.differs(APART, DYNAMIC);
  draft.write('name', nameText ?? `'${draft.takeName(own, space.name)}'`);
  if (space.prefix) draft.write('prefix', space.prefix);
}

/** The parameter that all keys of a limit begin with, which tells the limits of a function apart: `${kind}:${ip}`. */
function keyName({ file, given }: LimitDraft, functions: readonly Syntax[]): string | undefined {
  const key = given['keyGenerator'] && file.valueOf(given['keyGenerator'].value);
  const names = (key && isFunction(key) ? resultsOf(key) : []).map((result) => {
    const [first] = (result.type === 'TemplateLiteral' ? result.expressions : []) as Syntax[];
    return first?.type === 'Identifier' && result.quasis[0].value.raw === '' ? first : undefined;
  });
  const [name] = names;
  const isSame = names.every((each) => each?.name === name?.name);
  return name && isSame && isText(file, name) && readsParameters(file, name, functions)
    ? (name.name as string)
    : undefined;
}

function partsOf(file: SourceFile, node: Syntax, depth: number): Part[] {
  const inner = bare(node);
  const constant = constantOf(file, inner);
  if (constant !== undefined) return [String(constant)];
  if (depth > DEEPEST) return [inner];
  if (inner.type === 'TemplateLiteral') {
    const texts = inner.quasis as Syntax[];
    return texts.flatMap((text, index) => {
      const expression = inner.expressions[index] as Syntax | undefined;
      return [text.value.cooked as string, ...(expression ? partsOf(file, expression, depth + 1) : [])];
    });
  }
  if (inner.type === 'BinaryExpression' && inner.operator === '+')
    return [...partsOf(file, inner.left, depth + 1), ...partsOf(file, inner.right, depth + 1)];
  const target = inner.type === 'Identifier' ? file.valueOf(inner) : undefined;
  return target && /^(TemplateLiteral|BinaryExpression)$/.test(target.type)
    ? partsOf(file, target, depth + 1)
    : [inner];
}

function isPlain(parts: readonly Part[]): parts is readonly string[] {
  return parts.every((part) => typeof part === 'string');
}

/** Without the separators at the ends, and with neighbours joined. */
function trimmed(parts: readonly Part[]): Part[] {
  const joined = joinedParts(parts);
  if (typeof joined[0] === 'string') joined[0] = joined[0].replace(/^[-:]+/, '');
  const end = joined.at(-1);
  if (typeof end === 'string') joined[joined.length - 1] = end.replace(/[-:]+$/, '');
  return joined.filter((part) => part !== '');
}

function joinedParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined;
}

/** An expression of these parts. */
function textOf(draft: LimitDraft, parts: readonly Part[]): string | undefined {
  const texts = parts.map((part) => (typeof part === 'string' ? part : draft.carry(part)));
  if (texts.includes(undefined)) return undefined;
  const [only] = parts;
  if (parts.length === 1 && typeof only !== 'string' && isText(draft.file, only!)) return texts[0];
  if (parts.length === 0) return '';
  const pieces = parts.map((part, index) => (typeof part === 'string' ? nameable(part) : `\${${texts[index]}}`));
  return `\`${pieces.join('')}\``;
}

/** False for a parameter that is no text, as its type says: a template makes text of it. */
function isText(file: SourceFile, node: Syntax): boolean {
  if (node.type !== 'Identifier') return true;
  const types = file.declarationsOf(node.name).map((each) => each.typeAnnotation?.typeAnnotation?.type as string);
  return types.every((type) => type === undefined || type === 'TSStringKeyword');
}
