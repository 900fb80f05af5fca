import { Trial } from '../limits/trial.js';
import type { Client } from './client.js';
import type { ReplayedRequest, ReplayTier } from './replayed-request.js';

const CHUNK = 2 ** 16;

/** The requests of a log in 16 bytes each, to be replayed again. */
export class Recording {
  readonly #clients: Client[] = [];
  readonly #times: Float64Array[] = [];
  readonly #indices: Uint32Array[] = [];
  readonly #costs: Uint32Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(client: Client, time: number, cost: number): void {
    this.#clients[client.index] = client;
    const place = this.#size % CHUNK;
    if (place === 0) {
      this.#times.push(new Float64Array(CHUNK));
      this.#indices.push(new Uint32Array(CHUNK));
      this.#costs.push(new Uint32Array(CHUNK));
    }
    this.#times.at(-1)![place] = time;
    this.#indices.at(-1)![place] = client.index;
    this.#costs.at(-1)![place] = cost;
    this.#size += 1;
  }

  /** How many requests a tier denies at a limit. Stops above `most`. */
  denied(tier: ReplayTier, limit: number, most: number): number {
    const trial = new Trial([{ ...tier, limit, mode: 'enforce' } as ReplayTier]);
    for (let index = 0; index < this.#size && trial.denied <= most; index += 1) {
      const [chunk, place] = [Math.floor(index / CHUNK), index % CHUNK];
      const client = this.#clients[this.#indices[chunk]![place]!]!;
      trial.decide({ client } as ReplayedRequest, this.#times[chunk]![place]!, this.#costs[chunk]![place]!);
    }
    return trial.denied;
  }
}

/** The lowest limit of a tier that, on its own, denies less than a share of the requests. */
export interface Proposal {
  readonly tier: string;
  readonly limit: number;
  /** The share that it denies. */
  readonly share: number;
}

/** Bisects the limit of a tier. Undefined for one whose limit is no number, or with functions of the request. */
export async function propose(recording: Recording, tier: ReplayTier, below: number): Promise<Proposal | undefined> {
  const given: unknown = 'limit' in tier ? tier.limit : undefined;
  if (typeof given !== 'number' || isByRequest(tier) || recording.size === 0) return undefined;
  // Below, not at the share.
  const most = Math.ceil(recording.size * below) - 1;
  let [low, high] = [0, given];
  let denied = recording.denied(tier, high, most);
  while (denied > most) {
    [low, high] = [high, high * 2];
    denied = recording.denied(tier, high, most);
    await turn();
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const count = recording.denied(tier, middle, most);
    if (count > most) low = middle;
    else [high, denied] = [middle, count];
    await turn();
  }
  return { tier: tier.name, limit: high, share: denied / recording.size };
}

function isByRequest(tier: ReplayTier): boolean {
  return Object.values(tier).some((value) => typeof value === 'function');
}

/** Lets SIGINT through. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
