import type { UsageRow } from '@sluice/quotas';
import sqlite, { type Database } from 'node-sqlite3-wasm';
import { CREDITS } from './customers.js';

/** A bill is a sum over these rows. */
export interface BilledHour {
  readonly customer: string;
  /** The name of its month, or `credits`. */
  readonly tier: string;
  readonly from: number;
  readonly units: number;
}

export interface Credit {
  readonly id: string;
  readonly customer: string;
  readonly units: number;
}

export interface StoredCredit extends Credit {
  /** Whether the balance of the customer has its units. */
  readonly isAdded: boolean;
}

/** What customers have used and bought, in SQLite. Without a file it lives in memory. */
export class Ledger {
  readonly #database: Database;

  constructor(file?: string) {
    // It is a CommonJS module, and Node finds no named export in it.
    this.#database = new sqlite.Database(file);
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS usage (
        id TEXT PRIMARY KEY, customer TEXT NOT NULL, tier TEXT NOT NULL,
        hour REAL NOT NULL, units REAL NOT NULL, revision REAL NOT NULL
      )`);
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS credits (
        id TEXT PRIMARY KEY, customer TEXT NOT NULL, units REAL NOT NULL, is_added INTEGER NOT NULL DEFAULT 0
      )`);
    this.#database.exec('CREATE TABLE IF NOT EXISTS subscriptions (customer TEXT PRIMARY KEY, stripe TEXT NOT NULL)');
  }

  /** Stores each row under its id. One that comes again, or late, changes nothing that is newer. */
  put(rows: readonly UsageRow[]): void {
    const upsert = `
      INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
      SET units = excluded.units, revision = excluded.revision WHERE excluded.revision >= usage.revision`;
    this.#database.exec('BEGIN');
    try {
      for (const row of rows) {
        const { id, tier, from, units, revision } = row;
        const customer = customerOf(row);
        this.#database.run(upsert, [id, customer, tier, from, units, revision]);
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  hours(customer: string): readonly BilledHour[] {
    const rows = this.#database.all('SELECT * FROM usage WHERE customer = ? ORDER BY hour', [customer]);
    return rows.map(({ tier, hour, units }) => ({
      customer,
      tier: tier as string,
      from: hour as number,
      units: units as number,
    }));
  }

  /** Units of the months of a customer in an hour, which a meter of Stripe has. */
  unitsOf(customer: string, hour: number): number {
    const sum = 'SELECT SUM(units) AS units FROM usage WHERE customer = ? AND hour = ? AND tier <> ?';
    const [row] = this.#database.all(sum, [customer, hour, CREDITS]);
    return (row?.['units'] as number | null) ?? 0;
  }

  /** A customer has signed up, or has another account at Stripe. */
  subscribe(customer: string, stripe: string): void {
    const upsert = 'INSERT INTO subscriptions VALUES (?, ?) ON CONFLICT DO UPDATE SET stripe = excluded.stripe';
    this.#database.run(upsert, [customer, stripe]);
  }

  /** Undefined for a customer that has not signed up. */
  stripeIdOf(customer: string): string | undefined {
    const [row] = this.#database.all('SELECT stripe FROM subscriptions WHERE customer = ?', [customer]);
    return row?.['stripe'] as string | undefined;
  }

  /** Stores a credit once. Returns the one that has this id. */
  addCredit({ id, customer, units }: Credit): StoredCredit {
    const insert = 'INSERT INTO credits (id, customer, units) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    this.#database.run(insert, [id, customer, units]);
    const [row] = this.#database.all('SELECT * FROM credits WHERE id = ?', [id]);
    const { customer: owner, units: bought, is_added: isAdded } = row!;
    return { id, customer: owner as string, units: bought as number, isAdded: isAdded === 1 };
  }

  /** The balance of the customer has the units of a credit. */
  markAdded(id: string): void {
    this.#database.run('UPDATE credits SET is_added = 1 WHERE id = ?', [id]);
  }

  /** Units that a customer has bought. */
  bought(customer: string): number {
    const [row] = this.#database.all('SELECT SUM(units) AS units FROM credits WHERE customer = ?', [customer]);
    return (row?.['units'] as number | null) ?? 0;
  }

  close(): void {
    this.#database.close();
  }
}

/** The label of each tier is the number of its customer, who may have signed up since this process has started. */
export function customerOf({ label, digest }: UsageRow): string {
  return label ?? `digest ${digest}`;
}
