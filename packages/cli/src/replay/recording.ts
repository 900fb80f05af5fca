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
    const wanted = this.#clients.map(isWanted);
    for (let index = 0; index < this.#size; index += 1) {
      const [chunk, place] = [Math.floor(index / CHUNK), index % CHUNK];
      const which = this.#indices[chunk]![place]!;
      if (!wanted[which]) continue;
      const client = this.#clients[which]!;
      const [time, units, status] = [
        this.#times[chunk]![place]!,
        this.#units[chunk]![place]!,
        this.#statuses[chunk]![place]!,
      ];
      if (!visit({ client, time, units, status })) return;
    }
  }
}
