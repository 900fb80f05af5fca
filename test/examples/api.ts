/** A client of an example. */
export class Api {
  readonly url: string;

  constructor({ url }: { url: string }) {
    this.url = url;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  async statuses(count: number, path: string, headers?: Record<string, string>): Promise<number[]> {
    return statusesInTurn(count, () => this.get(path, headers));
  }

  login(user: unknown, password: unknown): Promise<Response> {
    return fetch(`${this.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user, password }),
    });
  }

  guesses(count: number, user: unknown): Promise<number[]> {
    return statusesInTurn(count, () => this.login(user, 'guess'));
  }

  /** Logs in, and resolves with the header that authenticates the user. */
  async bearer(user: string, password: string): Promise<{ authorization: string }> {
    const { token } = (await (await this.login(user, password)).json()) as { token: string };
    return { authorization: `Bearer ${token}` };
  }
}

export function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

async function statusesInTurn(count: number, send: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const response = await send();
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}
