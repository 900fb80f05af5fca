// shed/ simulates a process under overload, with and without a shedder. Options of load enter, and a report leaves. It
// imports random/, charts, terminal, invocation and failure.
import type { Priority, ShedderOptions } from '@sluice/overload';
import type { SocketOptions } from './sockets.js';

/** A time with a load. */
export interface Phase {
  /** Requests that arrive, as a part of those that the process can serve. Above 0. */
  readonly times: number;
  /** Milliseconds. */
  readonly lasts: number;
}

/** A process and its load, in milliseconds of its own time. */
export interface Scene extends SocketOptions {
  /** One after the other. */
  readonly phases: readonly Phase[];
  /** Work of a request. */
  readonly work: number;
  /** The parts of the capacity that critical requests take, and normal ones. The others are sheddable. */
  readonly critical: number;
  readonly normal: number;
  /** How long a request waits for a database before its work. 0: it works when it comes. */
  readonly database: number;
  /** Runs it, where requests need something else than the processor. @default their work is done by an event loop */
  readonly run?: (scene: Scene, witness: Witness) => Promise<void>;
  readonly seed: number;
  readonly shed: Pick<ShedderOptions<never>, 'target' | 'mode'>;
  /** When a timer of the process stops it, and for how long: requests that come meanwhile are read before the next tick. @default never */
  readonly pause?: { readonly at: number; readonly lasts: number };
  /** @default at random times */
  readonly requests?: readonly SceneRequest[];
}

/** What a process can be short of beside the processor: a word of `--shed`, such as `pool=10`. */
export interface SceneKind {
  readonly word: string;
  /** @throws Failure for another text. @returns runs a scene */
  read(text: string): NonNullable<Scene['run']>;
}

/** What a process reports. */
export interface Witness {
  arrived(request: SceneRequest): void;
  /** It was answered within a second. @param waited milliseconds */
  served(request: SceneRequest, waited: number): void;
  refused(request: SceneRequest): void;
  /** Of the shedder, whenever it may have changed. */
  level(time: number, level: number): void;
}

export interface SceneRequest {
  /** Of its client. */
  readonly ip: string;
  readonly priority: Priority;
  readonly arrival: number;
  /** Its place among the phases. */
  readonly phase: number;
}

/** The requests of a scene, at random times. */
export function* arrivalsOf(
  { phases, critical, normal, work, clients }: Scene,
  next: () => number,
): Generator<SceneRequest, undefined> {
  let [arrival, begin] = [0, 0];
  for (const [phase, { times, lasts }] of phases.entries()) {
    // Without an overload each kind has a third.
    const [first, second] = [Math.min(critical, times / 3), Math.min(normal, times / 3)];
    while (arrival < begin + lasts) {
      const kind = next() * times;
      const priority: Priority = kind < first ? 'critical' : kind < first + second ? 'normal' : 'sheddable';
      yield { ip: `client ${Math.floor(next() * clients)}`, priority, arrival, phase };
      arrival -= (Math.log(1 - next()) * work) / times;
    }
    begin += lasts;
    // The time until the next one does not depend on how long none has come.
    arrival = begin;
  }
  return undefined;
}
