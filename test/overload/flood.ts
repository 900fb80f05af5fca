import type { Priority } from '../../packages/overload/src/index.js';
import { Connection } from './connection.js';
import { PATIENCE, PRIORITIES, STEADY, type Address, type Connections, type Transport } from './terms.js';

const CLIENTS = 1_000;
/** Milliseconds in which a shedder may still find out how many requests come. */
const FIRST = 3_000;

export type Counts = Record<Priority, number>;

/** A time with a load. */
export interface Phase {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly lasts: number;
  /** When it begins. */
  readonly begins?: () => void;
}

/** What clients have seen of the requests of a phase. */
export interface Seen {
  readonly came: Counts;
  /** Answered with 200 in time. */
  readonly served: Counts;
  readonly refused: Counts;
  /** Those of the critical requests that came in the first three seconds. */
  readonly first: { came: number; served: number };
  /** How long served requests took, in milliseconds. */
  readonly times: number[];
}

interface Target {
  readonly address: Address;
  readonly transport: Transport;
  readonly connections: Connections;
}

/** Clients that do not wait for each other, and that give up. */
export class Flood {
  readonly #target: Target;
  readonly #idle: Connection[] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  /** Requests that the server answers while 8 clients wait for each answer, and milliseconds that it takes. */
  async answered(milliseconds: number): Promise<{ readonly requests: number; readonly lasts: number }> {
    const start = performance.now();
    let requests = 0;
    const client = async () => {
      while (performance.now() < start + milliseconds) if ((await this.ask('normal')) === 200) requests += 1;
    };
    await Promise.all(Array.from({ length: 8 }, client));
    return { requests, lasts: performance.now() - start };
  }

  /** Sends requests at random times, phase after phase. @param capacity requests a second */
  async send(phases: readonly Phase[], capacity: number): Promise<readonly Seen[]> {
    const sent: Promise<void>[] = [];
    const all: Seen[] = [];
    let next = performance.now();
    for (const { rate, lasts, begins } of phases) {
      const [start, seen] = [next, nothingSeen()];
      all.push(seen);
      begins?.();
      while (next < start + lasts) {
        for (const now = performance.now(); next <= now && next < start + lasts; next += gap(rate)) {
          sent.push(this.#watch(priorityAt(rate, capacity), next - start, seen));
        }
        if (next < start + lasts) await pause(Math.max(0, next - performance.now()));
      }
      next = start + lasts;
      await pause(Math.max(0, next - performance.now()));
    }
    await Promise.all(sent);
    return all;
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  /** The status. 0 for none in time. */
  async ask(path: string, patience = PATIENCE): Promise<number> {
    const { address, transport, connections } = this.#target;
    const isKept = connections === 'kept';
    const connection = (isKept && this.#takeIdle()) || new Connection(address, transport);
    const host = Math.floor(Math.random() * CLIENTS);
    const from = `X-Forwarded-For: 10.0.${host >> 8}.${host & 255}`;
    const timer = setTimeout(() => connection.close(), patience);
    const end = isKept ? 'keep-alive' : 'close';
    const status = await connection.ask(
      `GET /${path} HTTP/1.1\r\nHost: overload\r\n${from}\r\nConnection: ${end}\r\n\r\n`,
    );
    clearTimeout(timer);
    if (isKept && connection.isOpen) this.#idle.push(connection);
    else connection.close();
    return status;
  }

  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) if (idle.isOpen) return idle;
    return undefined;
  }

  /** @param since milliseconds of the phase */
  async #watch(priority: Priority, since: number, seen: Seen): Promise<void> {
    const isFirst = priority === 'critical' && since < FIRST;
    seen.came[priority] += 1;
    if (isFirst) seen.first.came += 1;
    const start = performance.now();
    const status = await this.ask(priority);
    if (status === 503) seen.refused[priority] += 1;
    if (status !== 200) return;
    seen.served[priority] += 1;
    seen.times.push(performance.now() - start);
    if (isFirst) seen.first.served += 1;
  }
}

function nothingSeen(): Seen {
  const counts = () => ({ critical: 0, normal: 0, sheddable: 0 });
  return { came: counts(), served: counts(), refused: counts(), first: { came: 0, served: 0 }, times: [] };
}

/** Milliseconds to the next request. */
function gap(rate: number): number {
  return -Math.log(1 - Math.random()) * (1_000 / rate);
}

/** In calm, each kind has at most a third. */
function priorityAt(rate: number, capacity: number): Priority {
  const place = Math.random() * rate;
  const critical = Math.min(STEADY.critical * capacity, rate / 3);
  const normal = Math.min(STEADY.normal * capacity, rate / 3);
  return place < critical ? 'critical' : place < critical + normal ? 'normal' : 'sheddable';
}

function pause(milliseconds: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function sumOf(counts: Counts): number {
  return PRIORITIES.reduce((sum, each) => sum + counts[each], 0);
}
