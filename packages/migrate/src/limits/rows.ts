import { constantOf } from '../source/constant.js';
import type { Carrying, Difference, GivenOption, LimitDraft, Row } from './limit-draft.js';

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
