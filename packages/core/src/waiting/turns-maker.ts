import type { Order } from './order.js';
import type { Checked } from './work.js';

/** Makes the order of a line whose callers take turns. @param isCrowded the denial is for the share of a caller: there may be room for others */
export type TurnsMaker = <T extends Checked>(isCrowded: (denial: T) => boolean) => Order<T>;
