import { processWide } from '../model/process-wide.js';
import type { Order } from './order.js';
import type { Checked } from './work.js';

/** Makes the order of a line whose callers take turns. @param isCrowded the denial is for the share of a caller: there may be room for others */
type TurnsMaker = <T extends Checked>(isCrowded: (denial: T) => boolean) => Order<T>;

const added = processWide<{ open?: TurnsMaker }>('fair-lines', () => ({}));

/** Gives turns to all copies of this package, when a program imports `@sluice/core/fair`. */
export function addTurns(open: TurnsMaker): void {
  added.open ??= open;
}

/** Only a policy of that room has callers. */
export const newTurns: TurnsMaker = (isCrowded) => added.open!(isCrowded);
