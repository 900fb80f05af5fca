import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { haproxyAdvice, haproxyFolder } from '../../scripts/haproxy.mjs';
import { onFreePort } from '../support/free-port.js';
import { startOnPort } from '../support/port-process.js';

/** The ports of a process of a service. */
export interface Backend {
  readonly http: number;
  readonly grpc: number;
}

/** One address of several processes. */
export interface Balancer extends Backend {
  stop(): Promise<void>;
}

/** Starts a real HAProxy that gives each request, also each call of a connection of gRPC, to the next process that listens. */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const folder = haproxyFolder();
  if (folder === undefined) throw new Error(haproxyAdvice);
  const directory = await mkdtemp(join(tmpdir(), 'sluice-balancer-'));
  const file = join(directory, 'haproxy.cfg');
  const { http, grpc, end } = await onFreePort((grpcPort) =>
    onFreePort(async (httpPort) => {
      await writeFile(file, configuration({ http: httpPort, grpc: grpcPort }, backends));
      const environment = { LD_LIBRARY_PATH: folder };
      const started = await startOnPort(httpPort, {
        file: join(folder, 'haproxy'),
        args: ['-db', '-f', file],
        environment,
        directory,
      });
      return { http: httpPort, grpc: grpcPort, end: started.end };
    }),
  );
  return {
    http,
    grpc,
    async stop() {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function configuration(ports: Backend, backends: readonly Backend[]): string {
  const servers = (protocol: keyof Backend, options: string) =>
    backends
      .map((backend, at) => `  server ${protocol}${at} 127.0.0.1:${backend[protocol]} check inter 100ms ${options}`)
      .join('\n');
  return `
defaults
  mode http
  balance roundrobin
  retries 3
  option redispatch
  retry-on conn-failure
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen http
  bind 127.0.0.1:${ports.http}
${servers('http', '')}
listen grpc
  bind 127.0.0.1:${ports.grpc} proto h2
${servers('grpc', 'proto h2')}
`;
}
