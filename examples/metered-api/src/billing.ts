import type { UsageRow } from '@sluice/quotas';
import express, { type Express } from 'express';
import { customerOf } from './ledger.js';

/** An event of the billing API: the last one with an identifier replaces those before. */
interface MeterEvent {
  readonly identifier: string;
  readonly customer: string;
  readonly value: number;
  readonly revision: number;
}

/** Stands for the API of a billing service. It fails at random, sometimes after it has stored what it was sent. */
export class BillingApi {
  readonly app: Express = express();
  readonly #events = new Map<string, MeterEvent>();

  /** @param random from 0 to 1; below 0.5 a request fails */
  constructor(random: () => number = Math.random) {
    this.app.post('/events', express.json(), (request, response) => {
      const fate = random();
      if (fate >= 0.25) for (const event of request.body as MeterEvent[]) this.#put(event);
      response.status(fate < 0.5 ? 503 : 204).end();
    });
  }

  unitsOf(customer: string): number {
    const own = [...this.#events.values()].filter((event) => event.customer === customer);
    return own.reduce((sum, { value }) => sum + value, 0);
  }

  #put(event: MeterEvent): void {
    const known = this.#events.get(event.identifier);
    if (known === undefined || known.revision <= event.revision) this.#events.set(event.identifier, event);
  }
}

/**
 * Sends rows to the billing API.
 *
 * @param signal aborts when the process ends
 * @throws if it has not taken them: the export sends them again
 */
export async function sendTo(url: string, rows: readonly UsageRow[], signal: AbortSignal): Promise<void> {
  const events = rows.map((row) => ({
    identifier: row.id,
    customer: customerOf(row),
    value: row.units,
    revision: row.revision,
  }));
  const headers = { 'content-type': 'application/json' };
  const { ok, status } = await fetch(`${url}/events`, {
    method: 'POST',
    headers,
    body: JSON.stringify(events),
    signal,
  });
  if (!ok) throw new Error(`the billing API answers ${status}`);
}
