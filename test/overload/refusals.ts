import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';

/** What refuses all requests: Node alone, a hook of Fastify, a shedder. */
export const REFUSING = ['node', 'hook', 'shedder'] as const;

const CONNECTIONS = 32;
const WARM_UP = 1_500;
const REQUESTS = 3_000;

/** Microseconds of a core that a refusal takes of a server: other programs on the machine change it little. */
export async function costOfRefusal(server: { readonly child: ChildProcess; readonly port: number }): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const refuse = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'X-Forwarded-For': `10.0.0.${number & 255}` };
      const request = get({ host: '127.0.0.1', port: server.port, path: '/sheddable', agent, headers }, (response) => {
        response.resume();
        if (response.statusCode !== 503) reject(new Error(`the server has answered ${response.statusCode}`));
        response.on('end', resolve);
      });
      request.on('error', reject);
    });
  const send = async (requests: number) => {
    let sent = 0;
    const client = async () => {
      while (sent < requests) await refuse((sent += 1));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
  };
  const used = async () => {
    server.child.send('cpu');
    const [{ user, system }] = (await once(server.child, 'message')) as [NodeJS.CpuUsage];
    return user + system;
  };
  await send(WARM_UP);
  const before = await used();
  await send(REQUESTS);
  const cost = ((await used()) - before) / REQUESTS;
  agent.destroy();
  return cost;
}
