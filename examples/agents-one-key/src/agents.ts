import { setTimeout as delay } from 'node:timers/promises';

/** What an agent has sent until its task was taken. */
export interface Sent {
  readonly token: string;
  readonly requests: number;
  /** Milliseconds. */
  readonly after: number;
}

/** An agent sends its task, and comes back at the moment that it is told, until the task is taken. */
export async function sendTask(url: string, token: string): Promise<Sent> {
  const startedAt = performance.now();
  for (let requests = 1; ; requests += 1) {
    const response = await fetch(`${url}/tasks`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    // A body that nobody reads holds its connection.
    await response.arrayBuffer();
    if (response.status === 200) return { token, requests, after: performance.now() - startedAt };
    if (response.status !== 429) throw new Error(`${url} answers ${response.status} to ${token}`);
    await delay(waitOf(response));
  }
}

/** Milliseconds. They say the place in line more exactly than the whole seconds of Retry-After. */
function waitOf({ headers }: Response): number {
  const milliseconds = headers.get('retry-after-ms');
  return milliseconds === null ? Number(headers.get('retry-after')) * 1e3 : Number(milliseconds);
}
