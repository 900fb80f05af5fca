import { StoreError } from '@sluice/core';
import {
  actState,
  consumeStates,
  peekStates,
  refundState,
  renewState,
  sharedLayers,
  type AbleStore,
  type StoredState,
} from '@sluice/core/own-store';
import sqlite from 'node-sqlite3-wasm';

const MAX_RECORDS = 20;
/** States that a call deletes, so that a request does not wait until many at the same time are gone. */
const SWEPT = 100;

/** A store of one process in SQLite. Without a file it lives in memory. */
export function sqliteStore(file?: string): AbleStore {
  const database = new sqlite.Database(file);
  database.exec(`
    CREATE TABLE IF NOT EXISTS states (key TEXT PRIMARY KEY, text TEXT NOT NULL, expires_at REAL NOT NULL);
    CREATE INDEX IF NOT EXISTS states_by_expiry ON states (expires_at);
    CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, key TEXT NOT NULL, text TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS records_by_key ON records (key);
    CREATE TRIGGER IF NOT EXISTS records_end_with_states AFTER DELETE ON states
      BEGIN DELETE FROM records WHERE key = OLD.key; END;
  `);

  /** Of the transaction that runs: milliseconds since 1970. */
  let time = 0;

  /** Runs work in a transaction, on states that have not expired. */
  function transaction<T>(work: (now: number) => T): T {
    if (!database.isOpen) throw new StoreError('STORE_CLOSED', 'this store is closed');
    try {
      database.exec('BEGIN IMMEDIATE');
      time = Date.now();
      const result = work(time);
      const expired = 'SELECT key FROM states WHERE expires_at <= ? LIMIT ?';
      database.run(`DELETE FROM states WHERE key IN (${expired})`, [time, SWEPT]);
      database.exec('COMMIT');
      return result;
    } catch (cause) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw new StoreError('STORE_UNAVAILABLE', 'SQLite could not answer', { cause });
    }
  }

  function textOf(key: string): string | undefined {
    const found = database.get('SELECT text FROM states WHERE key = ? AND expires_at > ?', [key, time]);
    return found?.['text'] as string | undefined;
  }

  function save(key: string, { text, expiresAt }: StoredState): void {
    const upsert = 'ON CONFLICT (key) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at';
    database.run(`INSERT INTO states VALUES (?, ?, ?) ${upsert}`, [key, text, expiresAt]);
  }

  function record(key: string, text: string): void {
    database.run('INSERT INTO records (key, text) VALUES (?, ?)', [key, text]);
    const newest = 'SELECT id FROM records WHERE key = ? ORDER BY id DESC LIMIT ?';
    database.run(`DELETE FROM records WHERE key = ? AND id NOT IN (${newest})`, [key, key, MAX_RECORDS]);
  }

  return {
    layers: sharedLayers,

    consume: (group) =>
      transaction((now) => {
        const { answer, states, records } = consumeStates(group, textOf, now);
        for (const [key, state] of states) save(key, state);
        for (const { key, text } of records) record(key, text);
        return answer;
      }),

    peek: (group) => transaction((now) => peekStates(group, textOf, now)),

    refund: (receipts) =>
      transaction((now) => {
        let sum = 0;
        for (const receipt of receipts) {
          const { units, state } = refundState(receipt, textOf(receipt.key), now);
          if (state) save(receipt.key, state);
          sum += units;
        }
        return sum;
      }),

    renew: (receipts) =>
      transaction((now) =>
        receipts.map((receipt) => {
          const { lapsed, state } = renewState(receipt, textOf(receipt.key), now);
          save(receipt.key, state);
          return lapsed;
        }),
      ),

    act: (owner, act) =>
      transaction((now) => {
        const { reply, state } = actState(owner, act, textOf(owner.key), now);
        if (state) save(owner.key, state);
        return reply;
      }),

    reset: (keys) =>
      transaction(() => {
        for (const key of keys) database.run('DELETE FROM states WHERE key = ?', [key]);
      }),

    recorded: (key) =>
      transaction(() =>
        database
          .all('SELECT text FROM records WHERE key = ? ORDER BY id DESC', [key])
          .map(({ text }) => text as string),
      ),

    close() {
      if (database.isOpen) database.close();
    },
  };
}
