// What the simulator needs of Node, for a browser: nothing listens to channels there, and keys only have to differ.

const QUIET = { hasSubscribers: false };

/** In place of `node:diagnostics_channel`. */
export function channel(): typeof QUIET {
  return QUIET;
}

/** A simulation has connections of its own. */
export function subscribe(): void {}

export function unsubscribe(): void {}

export function tracingChannel(): object {
  return { ...QUIET, start: QUIET };
}

const names = new Map<string, string>();

/** In place of `node:crypto`: each text has a name of its own, because a memory store shows no key to others. */
export function hash(_algorithm: string, text: string): string {
  const name = names.get(text) ?? names.size.toString(36);
  names.set(text, name);
  return name;
}

/** Texts are copied where that saves memory of headers. A page has no such headers. */
export const Buffer = {
  alloc: () => ({ write: () => 0, toString: () => '' }),
  from: (text: string) => ({ toString: () => text }),
};

export const process = {
  // A simulation has a clock of its own.
  hrtime: () => [0, 0],
  // Each run makes limiters of its own, of which a server would be warned.
  emitWarning: () => undefined,
};

/** Runs when the page has time for it. */
export function setImmediate(run: () => void): void {
  setTimeout(run, 0);
}
