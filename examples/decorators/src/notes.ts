import { limited } from '@sluice/express';
import type { Request, Response } from 'express';
import { store } from './store.js';

/** Notes that all clients share. Each method handles a route, with its limit above it. */
export class Notes {
  readonly #notes: string[] = [];

  @limited({ store, name: 'list', limit: 100, window: '1m' })
  list(_request: Request, response: Response): void {
    response.json(this.#notes);
  }

  @limited({ store, name: 'add', limit: 5, window: '1m' })
  async add(request: Request, response: Response): Promise<void> {
    const { note } = (request.body ?? {}) as { note?: unknown };
    this.#notes.push(String(note));
    response.status(201).json({ notes: this.#notes.length });
  }
}
