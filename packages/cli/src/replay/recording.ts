import type { Client } from './client.js';
import type { ReplayedRequest } from './replayed-request.js';

const CHUNK = 2 ** 16;

/** A request of a recording. */
export type Recorded = Readonly<Pick<ReplayedRequest, 'client' | 'time' | 'units' | 'status'>>;

/** The requests of a log in 18 bytes each, to be replayed again. */
export class Recording {
  readonly #clients: Client[] = [];
  readonly #times: Float64Array[] = [];
  readonly #indices: Uint32Array[] = [];
  readonly #units: Uint32Array[] = [];
  readonly #statuses: Uint16Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ client, time, units, status }: Recorded): void {
    this.#clients[client.index] = client;
    const place = this.#size % CHUNK;
    if (place === 0) {
      this.#times.push(new Float64Array(CHUNK));
      this.#indices.push(new Uint32Array(CHUNK));
      this.#units.push(new Uint32Array(CHUNK));
      this.#statuses.push(new Uint16Array(CHUNK));
    }
    this.#times.at(-1)![place] = time;
    this.#indices.at(-1)![place] = client.index;
    this.#units.at(-1)![place] = units;
    this.#statuses.at(-1)![place] = status;
    this.#size += 1;
  }

  /** Visits the requests in order, those of some clients. Stops when `visit` returns false. */
  visit(isWanted: (client: Client) => boolean, visit: (request: Recorded) => boolean): void {
    const wanted = Uint8Array.from(this.#clients, (client) => Number(isWanted(client)));
    for (const [chunk, indices] of this.#indices.entries()) {
      const [times, units, statuses] = [this.#times[chunk]!, this.#units[chunk]!, this.#statuses[chunk]!];
      const end = Math.min(CHUNK, this.#size - chunk * CHUNK);
      for (let place = 0; place < end; place += 1) {
        const index = indices[place]!;
        if (wanted[index] === 0) continue;
        const client = this.#clients[index]!;
        if (!visit({ client, time: times[place]!, units: units[place]!, status: statuses[place]! })) return;
      }
    }
  }
}
