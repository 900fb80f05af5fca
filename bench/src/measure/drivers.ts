import type { DriveVerbs } from '../drive/process.js';
import type { SliceOrder } from '../drive/slice.js';
import type { Mode } from '../mode.js';
import { startChild, type Child } from '../processes/child.js';
import type { Cores } from '../processes/cores.js';

export type Driver = Child<DriveVerbs>;

interface WarmUp extends Pick<SliceOrder, 'inFlight' | 'timed'> {
  readonly mode: Mode;
  readonly copy?: number;
}

/** A million keys of some stores do not fit into Node's default heap. */
const MEGABYTES = 6_144;

/** The processes of contestants. */
export class Drivers {
  readonly #drivers = new Map<string, Driver>();
  /** Checks that contestants have made. */
  readonly #warm = new Map<string, number>();
  readonly #together: boolean;
  readonly #cores: Cores | undefined;

  /**
   * @param together whether all contestants share one process
   * @param cores of the contestants; undefined: the system's choice
   */
  constructor(together: boolean, cores: Cores | undefined) {
    this.#together = together;
    this.#cores = cores;
  }

  /** The process of a contestant, started at its first use. */
  of(contestant: string, copy = 0): Driver {
    const name = `${this.#together ? '' : contestant}#${copy}`;
    const known = this.#drivers.get(name);
    if (known) return known;

    const driver = startChild<DriveVerbs>(new URL('../drive/process.ts', import.meta.url), {
      memory: MEGABYTES,
      cores: this.#cores?.contestants,
    });
    this.#drivers.set(name, driver);
    return driver;
  }

  /** Runs a contestant that is open, and for longer when it runs for the first time. */
  async warmUp(contestant: string, { mode, copy = 0, ...order }: WarmUp): Promise<void> {
    const { call } = this.of(contestant, copy);
    const name = `${contestant}#${copy}`;
    while ((this.#warm.get(name) ?? 0) < mode.warmChecks) {
      const { checks } = await call.slice(contestant, { inFlight: 64, milliseconds: mode.slice, timed: order.timed });
      this.#warm.set(name, (this.#warm.get(name) ?? 0) + checks);
    }
    await call.slice(contestant, { ...order, milliseconds: mode.warmUp });
  }

  async end(): Promise<void> {
    const all = [...this.#drivers.values()];
    this.#drivers.clear();
    await Promise.all(all.map((driver) => driver.end()));
  }
}
