import type { Acts, Failure, Forgotten, HistoryChoice, Look, Overriding, State, Target } from '../src/messages.ts';

/** An answer that is no success. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What the server of this page answers. Every address is relative, so that any prefix works. */
export const api = {
  events: 'api/events',
  state: () => call<State>('api/state'),
  look: (target: Target) => call<Look>('api/look', target),
  forget: (target: Target & { readonly reason?: string }) => call<Forgotten>('api/forget', target),
  history: (choice: HistoryChoice) => call<Acts>('api/history', choice),
  override: (overriding: Overriding) => call<Look>('api/override', overriding),
};

/** @throws ApiError; TypeError if the server cannot be reached */
async function call<T>(path: string, body?: object): Promise<T> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { cache: 'no-store', ...(body && post) });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (response.ok && isJson) return (await response.json()) as T;
  // The application has answered a refused request, perhaps with a page of its own.
  if (response.ok) throw new ApiError(404, '');
  const { error } = (await response.json().catch(() => ({ error: response.statusText }))) as Failure;
  throw new ApiError(response.status, error);
}
