import { createGate, type Gate, type HttpRequest } from '@sluice/core';

import { gateOptionsOf, groupsOf, type Level } from './level.js';
import { trustOf } from './platform.js';

/** The gates of an application: handlers of the same limits share them. */
export class Gates {
  readonly #made: { group: readonly Level[]; gate: Gate<HttpRequest> }[] = [];

  /** The gates that levels need, in their order. @throws ConfigError */
  of(levels: readonly Level[]): readonly Gate<HttpRequest>[] {
    return groupsOf(levels).map((group) => this.#gate(group));
  }

  /** Ends what was made here. */
  async close(): Promise<void> {
    const own = this.#made.filter(({ group }) => group[0]!.terms['limiter'] === undefined);
    await Promise.all(own.map(({ gate }) => gate.limiter.close()));
  }

  #gate(group: readonly Level[]): Gate<HttpRequest> {
    const known = this.#made.find((each) => sameLevels(each.group, group));
    if (known) return known.gate;
    const gate = createGate<HttpRequest>(gateOptionsOf(group), trustOf);
    this.#made.push({ group, gate });
    return gate;
  }
}

function sameLevels(one: readonly Level[], other: readonly Level[]): boolean {
  return one.length === other.length && one.every((level, index) => level === other[index]);
}
