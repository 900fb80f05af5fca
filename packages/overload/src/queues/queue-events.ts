import { eventChannel } from '@sluice/core/internal';

/** What a queue has measured: every 100 ms while acquisitions wait, and until it is calm. */
export interface QueueEvent {
  /** Its name. */
  readonly queue: string;
  /** 0: calm. 100: all sheddable acquisitions are refused. 200: all normal ones too. */
  readonly level: number;
  /** Milliseconds that acquisitions have waited at least, in each of the last two slices of 100 ms. */
  readonly standing: number;
  /** Acquisitions that wait. */
  readonly waiting: number;
}

/** A queue has refused an acquisition. */
export interface QueueRefusalEvent extends Omit<QueueEvent, 'waiting'> {
  readonly priority: 'normal' | 'sheddable';
  /** True for a queue with `mode: 'shadow'`: the acquisition waits on. */
  readonly shadow: boolean;
}

/** The event of what a queue measures, for `subscribe`. */
export const queueEvent = eventChannel<QueueEvent>('sluice:queue');
/** The event of a refused acquisition, for `subscribe`. */
export const queueRefusalEvent = eventChannel<QueueRefusalEvent>('sluice:queue-refusal');
