import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { CLIENT_HEADER, clients, CONNECTIONS } from './http-contestant.js';

/** Sends a server one request of each client, and returns the number of admitted ones. */
export async function askAsEach(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const allowed = await Promise.all(clients.map((client) => ask(url, client, agent)));
  agent.destroy();
  return allowed.filter(Boolean).length;
}

async function ask(url: string, client: string, agent: Agent): Promise<boolean> {
  const [response] = (await once(get(url, { agent, headers: { [CLIENT_HEADER]: client } }), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  await once(response, 'end');
  return response.statusCode === 200;
}
