import type { ActValues } from '../model/key-act.js';
import { facet } from './facet.js';

/** What features do with the states of an algorithm beside requests, by the names of their acts. */
export type Acting<State = unknown> = Readonly<Record<string, ActStep<State>>>;

/** The twin of the script of an act. @param now ticks of the policy */
export type ActStep<State = unknown> = (stored: State | undefined, args: ActValues, now: number) => Acted<State>;

/** What an act has done. */
export interface Acted<State = unknown> {
  /** Undefined where the stored one stays. */
  readonly state: State | undefined;
  /** What the script replies. */
  readonly reply: ActValues;
}

export const acting = facet<Acting>('acting');
