import type { Checked } from './work.js';
import type { Place } from './place.js';

/** In which order the work of a line asks. No step takes longer than O(log n). */
export interface Order<T extends Checked> {
  /** Each answer has its effects before the next check is sent: work of the same caller may enter because of it. */
  readonly goesOnLater: boolean;
  /** All of it. */
  places(): Iterable<Place<T>>;
  /** The pieces of work of a caller. It is 0 if callers take no turns. */
  sizeOf(caller: string): number;
  /** Adds work, or work whose check was sent too early. */
  add(place: Place<T>): void;
  /** Work has left, or its check is sent. */
  delete(place: Place<T>): void;
  /** The work that asks next. @param isPaused nothing was released since a denial */
  next(isPaused: boolean): Place<T> | undefined;
  onAdmitted(place: Place<T>): void;
  /** @returns whether the line pauses. Its work is back in the order. */
  onDenied(place: Place<T>, denial: T): boolean;
  /** Units may be free that were not. @param wasReleased false after a pause, in which other processes may have released some */
  retry(wasReleased: boolean): void;
}

/** Makes the order of a line whose callers take turns. @param isCrowded the denial is for the share of a caller: there may be room for others */
export type TurnsMaker = <T extends Checked>(isCrowded: (denial: T) => boolean) => Order<T>;
