type Event = 'close' | 'finish';

interface Emitter {
  once?(event: Event, listener: () => void): unknown;
}

const listenersBy: Readonly<Record<Event, WeakMap<Emitter, Set<() => void>>>> = {
  close: new WeakMap(),
  finish: new WeakMap(),
};

/**
 * Calls back at an event of a response or a socket. An emitter gets one listener for all that wait, because Node warns of more
 * than ten.
 *
 * @returns takes the callback back
 */
export function listenOnce(emitter: Emitter | undefined, event: Event, callback: () => void): () => void {
  if (!emitter?.once) return () => {};
  const known = listenersBy[event].get(emitter);
  const callbacks = known ?? new Set();
  if (!known) {
    listenersBy[event].set(emitter, callbacks);
    emitter.once(event, () => {
      for (const each of callbacks) each();
    });
  }
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}
