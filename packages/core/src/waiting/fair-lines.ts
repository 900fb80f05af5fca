import { processWide } from '../model/process-wide.js';
import type { Checked, LineContext, OpenLine } from './line.js';

export interface FairContext<T> extends Omit<LineContext<T>, 'most'> {
  /** The denial is for the share of a caller: there may be room for others. */
  readonly isCrowded: (denial: T) => boolean;
}

/** Opens a line whose callers take turns. */
type FairLines = <T extends Checked>(context: FairContext<T>) => OpenLine<T>;

const added = processWide<{ open?: FairLines }>('fair-lines', () => ({}));

/** Gives the lines to all copies of this package, when a program imports `@sluice/core/fair`. */
export function addFairLines(open: FairLines): void {
  added.open ??= open;
}

/** Only a policy of that room has callers. */
export const openFairLine: FairLines = (context) => added.open!(context);
