import { by, memoryStore, rateLimit, type Store } from '@sluice/express';
import { line } from '@sluice/overload/line';
import express, { type Express, type Request } from 'express';

interface Agent {
  readonly team: string;
  readonly name: string;
}

/**
 * Each agent has a token of its own, and all agents of a team share its limit. The name of an agent comes from its token: a client
 * that could write its name itself would have a place in line for each name that it makes up.
 */
export const TOKENS: ReadonlyMap<string, Agent> = new Map(
  Array.from({ length: 40 }, (_, index) => [`demo-token-${index}`, { team: 'demo', name: `agent-${index}` }]),
);

export interface ApiOptions {
  /** Requests of a team in a minute. @default 60 */
  readonly limit?: number;
  /** Several processes share the limits through it. @default a store in memory */
  readonly store?: Store;
}

/** An API whose agents share the limit of their team, and are served one after the other. */
export function createApi({ limit = 60, store = memoryStore() }: ApiOptions = {}): Express {
  const app = express();
  // Guesses of tokens reach no further than the limit of their address.
  app.use(rateLimit({ name: 'address', limit: 6_000, window: '1m', store }));
  app.use((request, response, next) => {
    if (agentOf(request) === undefined)
      response.status(401).json({ error: 'write Authorization: Bearer demo-token-0' });
    else next();
  });
  app.use(
    rateLimit({
      name: 'team',
      key: by('team', (request: Request) => agentOf(request)?.team),
      algorithm: 'token-bucket',
      limit,
      window: '1m',
      // A denied agent is told when its turn comes. It needs to send nothing that says so: its name is enough.
      line: line({ longest: '5m', by: (request: Request) => agentOf(request)?.name }),
      store,
    }),
  );
  app.post('/tasks', (request, response) => void response.json({ agent: agentOf(request)?.name }));
  return app;
}

function agentOf(request: Request): Agent | undefined {
  return TOKENS.get(request.get('authorization')?.replace(/^Bearer /i, '') ?? '');
}
