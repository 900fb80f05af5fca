import type { AddressInfo, Server } from 'node:net';

/** Starts a server. @returns the port that it has taken. Rejects where the port is taken */
export async function listening(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
