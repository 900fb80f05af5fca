import { Agent, get } from 'node:http';
import type { Priority } from '../../packages/core/src/shed/index.js';

/** Milliseconds of a core that a request takes. */
export const WORK = 5;
/** Clients give up after as many milliseconds. */
export const PATIENCE = 1_000;
export const PRIORITIES: readonly Priority[] = ['critical', 'normal', 'sheddable'];

/** Connections that stay, as a balancer has them. */
export const CONNECTIONS = 1_000;
const CLIENTS = 1_000;
/** What critical requests take of the capacity, and normal ones. The others are sheddable. */
const STEADY = 0.3;

/** What clients have seen. */
export interface Seen {
  readonly came: Record<Priority, number>;
  /** Answered with 200 in time. */
  readonly served: Record<Priority, number>;
  readonly refused: number;
  /** Milliseconds from the end of the load to the last answer that was late, refused or missing. */
  readonly calmAfter: number;
}

/** Clients that do not wait for each other, and that give up. */
export class Flood {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS });

  constructor(port: number) {
    this.#port = port;
  }

  /** Opens all connections: the answers wait until all requests are there. */
  async open(): Promise<void> {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#ask('open', 60_000)));
  }

  /** Requests a second that the server answers when 8 clients wait for each answer. */
  async capacity(milliseconds: number): Promise<number> {
    const end = performance.now() + milliseconds;
    let answered = 0;
    const client = async () => {
      while (performance.now() < end) if ((await this.#ask('normal')) === 200) answered += 1;
    };
    await Promise.all(Array.from({ length: 8 }, client));
    return (answered * 1_000) / milliseconds;
  }

  /** @param rate requests a second. @param steady of which are critical, and as many normal */
  async send(rate: number, milliseconds: number, steady: number): Promise<Seen> {
    const counts = () => ({ critical: 0, normal: 0, sheddable: 0 });
    const [came, served] = [counts(), counts()];
    const start = performance.now();
    const sent: Promise<void>[] = [];
    let [refused, lastTrouble, next] = [0, start, start];
    while (next < start + milliseconds) {
      for (const now = performance.now(); next <= now; next -= Math.log(1 - Math.random()) * (1_000 / rate)) {
        const place = Math.random() * rate;
        const priority = place < steady ? 'critical' : place < 2 * steady ? 'normal' : 'sheddable';
        came[priority] += 1;
        sent.push(
          this.#ask(priority).then((status) => {
            if (status === 200) served[priority] += 1;
            else lastTrouble = performance.now();
            if (status === 503) refused += 1;
          }),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(2, Math.max(0, next - performance.now()))));
    }
    await Promise.all(sent);
    return { came, served, refused, calmAfter: lastTrouble - start };
  }

  /** A load, and then half of the capacity, until the server is calm. */
  async rush(capacity: number, load: number, milliseconds: number): Promise<Seen> {
    const steady = STEADY * capacity;
    await this.send(capacity / 2, 2_000, capacity / 6);
    const seen = await this.send(load * capacity, milliseconds, steady);
    const after = await this.send(capacity / 2, 6_000, capacity / 6);
    return { ...seen, calmAfter: after.calmAfter };
  }

  /** A task of 300 ms at half of the capacity. @returns requests that were refused */
  async pause(capacity: number): Promise<number> {
    const sent = this.send(capacity / 2, 3_000, capacity / 6);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await this.#ask('pause');
    return (await sent).refused;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The status. 0 for none in time. */
  #ask(path: Priority | 'pause' | 'open', patience = PATIENCE): Promise<number> {
    const host = Math.floor(Math.random() * CLIENTS);
    const headers = { 'X-Forwarded-For': `10.0.${host >> 8}.${host & 255}` };
    return new Promise((resolve) => {
      const request = get({ host: '127.0.0.1', port: this.#port, path: `/${path}`, agent: this.#agent, headers });
      const timer = setTimeout(() => resolve(0), patience);
      request.on('response', (response) => {
        response.resume();
        response.on('end', () => {
          clearTimeout(timer);
          resolve(response.statusCode!);
        });
      });
      request.on('error', () => resolve(0));
    });
  }
}
