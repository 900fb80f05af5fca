import { CLIENT_HEADER, clients, CONNECTIONS } from './http-contestant.js';

/** Sends a server one request of each client. */
export async function askAsEach(url: string): Promise<void> {
  const left = [...clients];
  const askNext = async () => {
    for (let client = left.pop(); client !== undefined; client = left.pop()) {
      const response = await fetch(url, { headers: { [CLIENT_HEADER]: client } });
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askNext));
}
