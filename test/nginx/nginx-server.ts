import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nginxAdvice, nginxFolder } from '../../scripts/nginx.mjs';
import { onFreePort } from '../support/free-port.js';
import { startOnPort } from '../support/port-process.js';

/** A real nginx in front of an application. */
export interface NginxServer {
  readonly port: number;
  /** Resolves with the path of a log when it has so many lines. */
  log(name: string, lines: number): Promise<string>;
  stop(): Promise<void>;
}

export interface NginxOptions {
  /** A `log_format` for each log, by name. @default none */
  readonly formats?: Readonly<Record<string, string>>;
  /** Removed from each path. @default nothing */
  readonly prefix?: string;
  /** Directives of the location. */
  readonly directives?: string;
  /** Idle connections to the application that stay open. 0 is nginx' default: a connection for each request. @default 16 */
  readonly keepalive?: number;
}

/** @param appPort of the application */
export async function startNginx(
  appPort: number,
  {
    formats = {},
    prefix = '/',
    directives = 'proxy_set_header X-Forwarded-For $remote_addr;',
    keepalive = 16,
  }: NginxOptions = {},
): Promise<NginxServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-nginx-'));
  const setup = { directory, appPort, formats, prefix, directives, keepalive };
  const { port, end } = await onFreePort((free) => startProcess(free, setup));
  return {
    port,
    async log(name, lines) {
      const path = join(directory, `${name}.log`);
      while ((await readFile(path, 'utf8')).split('\n').length <= lines) await delay(10);
      return path;
    },
    async stop() {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Setup extends Required<NginxOptions> {
  readonly directory: string;
  readonly appPort: number;
}

async function startProcess(port: number, setup: Setup) {
  const { directory } = setup;
  const program = nginxFolder();
  if (program === undefined) throw new Error(nginxAdvice);
  await writeFile(join(directory, 'nginx.conf'), configuration(port, setup));
  const args = ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr'];
  return startOnPort(port, { file: join(program, 'nginx'), args, directory });
}

/**
 * One process, whose temporary files stay in its folder. Its requests are those of nginx 1.30 without settings: HTTP/1.1,
 * and the host of `proxy_pass`, which is usually `localhost`.
 */
function configuration(port: number, { appPort, formats, prefix, directives, keepalive }: Setup): string {
  const logs = Object.entries(formats).map(([name, format]) =>
    name === 'combined'
      ? 'access_log combined.log combined;'
      : `log_format ${name} '${format}'; access_log ${name}.log ${name};`,
  );
  const kept = 'proxy_http_version 1.1; proxy_set_header Connection "";';
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path temporary;`);
  return `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events { worker_connections 8192; }
http {
  ${logs.join('\n  ') || 'access_log off;'}
  ${paths.join('\n  ')}
  upstream localhost { server 127.0.0.1:${appPort}; ${keepalive > 0 ? `keepalive ${keepalive};` : ''} }
  server {
    listen 127.0.0.1:${port};
    location ${prefix} {
      proxy_pass http://localhost${prefix === '/' ? '' : '/'};
      ${keepalive > 0 ? kept : ''}
      ${directives}
    }
  }
}
`;
}
