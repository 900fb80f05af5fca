import { channel } from 'node:diagnostics_channel';

/** What is used of a channel of Node. A program whose compiler does not know the types of Node compiles with it, too. */
export interface EventChannel<Event> {
  readonly name: string | symbol;
  /** Test it before you make an event: then a channel without subscribers costs nothing. */
  readonly hasSubscribers: boolean;
  publish(event: Event): void;
  subscribe(listener: (event: unknown, name: string | symbol) => void): void;
  unsubscribe(listener: (event: unknown, name: string | symbol) => void): void;
}

/** The channel of an event, which all copies of its package share. A feature exports those of its events. */
export function eventChannel<Event>(name: `sluice:${string}`): EventChannel<Event> {
  return channel(name);
}
