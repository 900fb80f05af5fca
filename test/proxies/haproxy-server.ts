import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { haproxyAdvice, haproxyFolder } from '../../scripts/haproxy.mjs';
import { onFreePort } from '../support/free-port.js';
import { startOnPort } from '../support/port-process.js';
import type { Proxy } from './proxies.js';

/** Starts a real HAProxy in front of an application, with nothing but what it needs to run. */
export async function startHaproxy(appPort: number, mode: 'tcp' | 'http'): Promise<Proxy> {
  const folder = haproxyFolder();
  if (folder === undefined) throw new Error(haproxyAdvice);
  const directory = await mkdtemp(join(tmpdir(), 'sluice-haproxy-'));
  const file = join(directory, 'haproxy.cfg');
  const { port, end } = await onFreePort(async (free) => {
    await writeFile(file, configuration(free, appPort, mode));
    const environment = { LD_LIBRARY_PATH: folder };
    return startOnPort(free, { file: join(folder, 'haproxy'), args: ['-db', '-f', file], environment, directory });
  });
  return {
    port,
    async stop() {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function configuration(port: number, appPort: number, mode: string): string {
  return `
defaults
  mode ${mode}
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen app
  bind 127.0.0.1:${port}
  server app 127.0.0.1:${appPort}
`;
}
