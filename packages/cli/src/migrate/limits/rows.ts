import { constantOf, type SourceFile } from '../source/source-file.js';
import { bare, type Syntax } from '../source/syntax.js';
import { UNCOUNTED } from './differences.js';
import type { Carrying, Difference, GivenOption, LimitDraft, Row } from './limit-draft.js';

const UNITS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const LONGEST = 400 * UNITS.d;

/** Milliseconds as people write them: `'15m'`. */
export function durationText(milliseconds: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, each]) => milliseconds % each === 0) ?? ['', 1];
  return unit === '' ? String(milliseconds) : `'${milliseconds / size}${unit}'`;
}

/** A window in milliseconds. A value that the file does not tell stays the expression that it is. */
export function windowRow(option: string, byDefault: number): Row {
  return {
    options: [option],
    read: (draft, { [option]: given }) => {
      if (!given) return draft.write('window', durationText(byDefault));
      const text = windowText(draft, given, constantOf(draft.file, given.value));
      if (text !== undefined) draft.write('window', text);
    },
  };
}

function windowText(draft: LimitDraft, { name, value }: GivenOption, constant: unknown): string | undefined {
  if (constant === undefined) return isNumeric(draft, value) ? draft.carry(value) : undefined;
  // A name says more than its value.
  if (isMilliseconds(constant)) return value.type === 'Identifier' ? draft.carry(value) : durationText(constant);
  draft.refuse(value, `${name} is no time of 1 ms to 400 days`, 'choose a window');
  return undefined;
}

export function isMilliseconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= LONGEST;
}

/** False, and refused, for what is no expression of a number. */
function isNumeric(draft: LimitDraft, value: Syntax): boolean {
  if (!['ArrowFunctionExpression', 'FunctionExpression', 'ObjectExpression'].includes(value.type)) return true;
  draft.refuse(value, 'the window is no number', 'use a plan for each window: docs/guide/plans-and-costs.md#plans');
  return false;
}

/** A number of units, or a function of the request. */
export function limitRow(
  options: readonly string[],
  byDefault: number | string,
  carrying: Carrying,
  zero: Difference,
): Row {
  return {
    options,
    read: (draft, all) => {
      const given = options.map((name) => all[name]).find(Boolean);
      if (!given) return draft.write('limit', String(byDefault));
      const { name, value } = given;
      const constant = constantOf(draft.file, value);
      if (constant !== undefined && !(Number.isSafeInteger(constant) && Number(constant) >= 1)) {
        return draft.refuse(value, `${name} is no whole number of at least 1`, 'to deny all, write limit: () => 0');
      }
      const target = draft.file.valueOf(value);
      const isFunctional = target && /Function/.test(target.type);
      if (isFunctional) draft.differs(zero, UNCOUNTED);
      const text = isFunctional ? draft.carryFunction(given, carrying) : draft.carry(value);
      if (text !== undefined) draft.write('limit', isOfEnvironment(draft.file, value) ? `Number(${text})` : text);
    },
  };
}

/** True for `process.env.MAX`, alone or with a default: other libraries compare text with numbers, ours does not. */
function isOfEnvironment(file: SourceFile, value: Syntax): boolean {
  const inner = bare(value);
  if (inner.type === 'LogicalExpression') return isOfEnvironment(file, inner.left);
  return inner.type === 'MemberExpression' && /^(process|import\.meta)\.env$/.test(file.textOf(inner.object));
}

/** Options whose work Sluice does by itself, or not at all. */
export function droppedRow(options: readonly string[], difference?: Difference): Row {
  return {
    options,
    read: (draft, given) => {
      if (difference && options.some((name) => given[name])) draft.differs(difference);
    },
  };
}

/** Options that cannot be translated. */
export function refusedRow(option: string, hand: string): Row {
  return {
    options: [option],
    read: (draft, { [option]: given }) => {
      if (given) draft.refuse(given.property, `${option} has no equal`, hand);
    },
  };
}

/** A function of the request that keeps its meaning. */
export function functionRow(option: string, ours: string, carrying: Carrying): Row {
  return {
    options: [option],
    read: (draft, { [option]: given }) => {
      const text = given && draft.carryFunction(given, carrying);
      if (text !== undefined) draft.write(ours, text);
    },
  };
}

/** Whether requests are admitted while the store fails. */
export function failureRow(option: string): Row {
  return {
    options: [option],
    read: (draft, { [option]: given }) => {
      if (given) readFailure(draft, given);
    },
  };
}

export function readFailure(draft: LimitDraft, { name, value, property }: GivenOption): void {
  const isAllowed = constantOf(draft.file, value);
  if (typeof isAllowed !== 'boolean')
    draft.refuse(property, `${name} is no flag`, "write onStoreFailure: 'allow' or 'deny'");
  else draft.write('onStoreFailure', isAllowed ? "'allow'" : "'deny'");
}

/** What is always written. */
export function fixedRow(name: string, text: string): Row {
  return { options: [], read: (draft) => draft.write(name, text) };
}
