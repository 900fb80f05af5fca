import { eventChannel } from '@sluice/core/internal';

/** A shedder has refused a request. */
export interface ShedEvent {
  readonly priority: 'normal' | 'sheddable';
  /** Tiers with `mode: 'demote'` whose limit the request has passed. Absent without one. */
  readonly demotedBy?: readonly string[];
  /** From 0 to 200, as in `LoadEvent`. */
  readonly level: number;
  /** Milliseconds that the event loop has been late for 200 ms or longer. */
  readonly standing: number;
  /** True for a shedder with `mode: 'shadow'`: the request went on. */
  readonly shadow: boolean;
  /** The queue that is overloaded, and that the request needs. Absent for the event loop. */
  readonly queue?: string;
}

/** What a shedder has measured: every 100 ms while requests come. */
export interface LoadEvent {
  /** 0: calm. 100: all sheddable requests are refused. 200: all normal ones too. */
  readonly level: number;
  /** Milliseconds that the event loop has been late for 200 ms or longer. */
  readonly standing: number;
  /** Of the shedder, in milliseconds. */
  readonly target: number;
}

/** Requests were let in that new connections had held up. */
export interface DoorEvent {
  /** Requests that were held, until all new connections were accepted or for 100 ms. */
  readonly held: number;
  /** Those of them whose clients had left: they were not worked on. */
  readonly left: number;
  /** Milliseconds that the first of them was held. */
  readonly longest: number;
}

/** The event of a refused request, for `subscribe`. */
export const shedEvent = eventChannel<ShedEvent>('sluice:shed');
/** The event of what a shedder measures, for `subscribe`. */
export const loadEvent = eventChannel<LoadEvent>('sluice:load');
/** The event of requests that new connections have held up, for `subscribe`. */
export const doorEvent = eventChannel<DoorEvent>('sluice:door');
