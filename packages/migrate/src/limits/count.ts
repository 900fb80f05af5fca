import { branchesOf, isNothing, isOfEnvironment, numberIn, type Branch } from '../source/branches.js';
import { edited } from '../source/edit.js';
import { isFunction, isIn, resultsOf, type Syntax } from '../source/syntax.js';
import { NO_LIMIT, UNCOUNTED } from './differences.js';
import type { Carrying, Converter, Difference, GivenOption, LimitDraft } from './limit-draft.js';
import { withDefault } from './duration.js';

/** The most that Sluice counts in a window. More of them limits nobody. */
const MOST = 4_294_967_295;

export interface CountOptions {
  /** The number that the library takes without one. */
  readonly byDefault?: number | undefined;
  readonly carrying: Carrying;
  /** What differs where a function returns 0. */
  readonly zero: Difference;
  /** What the library does with a limit of 0. @default it denies all */
  readonly nothing?: string;
  /** What is said where the library reads no numbers in text. */
  readonly text?: Difference;
}

/** A number of units, or a function of the request. */
export function countOf(own: CountOptions): Converter {
  return (draft, given) => limitText(draft, given, own);
}

/** The limit in an option, as our text. Undefined, and refused, where it is none. */
export function limitText(draft: LimitDraft, given: GivenOption, own: CountOptions): string | undefined {
  const { file } = draft;
  const { name, value } = given;
  const target = file.valueOf(value);
  if (target && isFunction(target)) return functionText(draft, given, target, own);
  const isText = isOfEnvironment(file, value);
  const branches = branchesOf(file, value);
  const isWrong = (branch: Branch) => {
    const number = numberIn(branch, isText);
    return isNothing(branch) || (number !== undefined && !isLimit(number) && !isUnlimited(number));
  };
  if (branches.some(isWrong)) {
    const { nothing = '0 denies all there' } = own;
    const hasZero = branches.some((branch) => numberIn(branch, isText) === 0);
    const sure = branches.length === 1;
    const what = hasZero
      ? `${sure ? 'is' : 'may be'} 0`
      : `is ${sure ? 'no' : 'not always a'} whole number of at least 1`;
    const hand = hasZero ? `${nothing}: write limit: () => 0 if all are to be denied, else` : 'write';
    return draft.refuse(value, `${name} ${what}`, `${hand} a number of at least 1`);
  }
  if (branches.some(({ value: each }) => isUnlimited(each))) return unlimitedText(draft, given, branches);
  const text = draft.carry(isText ? value : file.typedOf(value));
  if (text === undefined || !isText) return text;
  if (own.text) draft.differs(own.text);
  return `Number(${withDefault(file, value, text, own.byDefault)})`;
}

function isLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MOST;
}

function isUnlimited(value: unknown): boolean {
  return typeof value === 'number' && value > MOST;
}

/** Ours takes null for no limit, from a function. */
function unlimitedText(
  draft: LimitDraft,
  { name, value }: GivenOption,
  branches: readonly Branch[],
): string | undefined {
  const { file } = draft;
  const places = branches.filter((each) => isUnlimited(each.value)).map(({ node }) => node);
  const isPlain = places.every((node) => isIn(node, value)) && isReplaceable(branches, places);
  if (places.length === branches.length || !isPlain || isOfEnvironment(file, value)) {
    const hand = 'remove the limit, or write limit: () => (isTest ? null : 100), where null is no limit';
    draft.refuse(value, `${name} is Infinity, or so large that it limits nobody`, hand);
    return undefined;
  }
  if (draft.carry(value) === undefined) return undefined;
  const edits = places.map(({ start, end }) => ({ start, end, text: 'null' }));
  return `() => (${edited(file.text, edits, value.start, value.end)})`;
}

/** True where null in these places is the value of the whole: not as a part of it, nor before a default. */
function isReplaceable(branches: readonly Branch[], places: readonly Syntax[]): boolean {
  return branches
    .filter(({ node }) => places.includes(node))
    .every(({ value, isReplaced }) => isUnlimited(value) && !isReplaced);
}

function functionText(draft: LimitDraft, given: GivenOption, fn: Syntax, own: CountOptions): string | undefined {
  const { file } = draft;
  draft.differs(own.zero, UNCOUNTED);
  const branches = resultsOf(fn).flatMap((result) => branchesOf(file, result));
  const unlimited = branches.filter(({ value }) => isUnlimited(value)).map(({ node }) => node);
  const isPlain = unlimited.every((node) => fn === given.value && isIn(node, fn));
  if (!isPlain || !isReplaceable(branches, unlimited)) {
    draft.refuse(given.value, `${given.name} returns Infinity`, 'return null, which is no limit, and run this again');
    return undefined;
  }
  if (unlimited.length > 0) draft.differs(NO_LIMIT);
  const edits = unlimited.map(({ start, end }) => ({ start, end, text: 'null' }));
  const { edits: others = [] } = own.carrying;
  return draft.carryFunction(given, { ...own.carrying, edits: [...others, ...edits] });
}
