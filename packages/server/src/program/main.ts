import { createRequire } from 'node:module';
import { ConfigError, isSluiceError } from '@sluice/core';
import type { HeaderFormat } from '@sluice/http';
import { redisStore, type RedisStore } from '@sluice/redis';
import { CommanderError } from 'commander';
import type { RateLimitServer } from '../rate-limit-server.js';
import { serve } from '../serve.js';
import type { ServeOptions } from '../serve-options.js';
import { CertificateFiles } from './certificate-files.js';
import { createProgram, type ProgramOptions } from './program-options.js';

const FAULT = 1;
const USAGE = 2;
/** Between two looks at the certificates. */
const RENEWAL_MS = 60_000;

/** Runs the service until a signal. Its exit code is that of the process. @param args of the shell */
export async function main(args: readonly string[]): Promise<void> {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const program = createProgram(version);
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : USAGE;
    return;
  }
  try {
    await run(program.args[0]!, program.opts<ProgramOptions>());
  } catch (error) {
    const isMistake = isSluiceError(error) || (error as NodeJS.ErrnoException).syscall === 'listen';
    print(process.stderr, isMistake ? (error as Error).message : ((error as Error).stack ?? String(error)));
    // A connection to Redis may be open.
    process.exit(error instanceof ConfigError ? USAGE : FAULT);
  }
}

async function run(file: string, options: ProgramOptions): Promise<void> {
  const certificates = certificatesOf(options);
  const store = storeOf(options);
  // Before the first request, so that no request waits for it. While Redis is away the process limits alone.
  await store?.ready().catch((error: Error) => print(process.stderr, error.message));
  const server = await serve(optionsOf(file, options, { store, certificates }));
  let isStopping = false;
  const stop = async () => {
    if (isStopping) process.exit(FAULT);
    isStopping = true;
    await server.close(options.drain * 1e3);
    await store?.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  const tell = (error: Error) => print(process.stderr, error.message);
  const renew = () => {
    try {
      certificates?.renew((tls) => server.secure(tls));
    } catch (error) {
      tell(error as Error);
    }
  };
  if (certificates !== undefined) setInterval(renew, RENEWAL_MS).unref();
  process.on('SIGHUP', () => {
    renew();
    server.refresh().catch(tell);
  });
  // After the handlers: a supervisor that reads this may send a signal immediately.
  if (store === undefined) print(process.stderr, 'without --redis this process counts alone');
  print(process.stdout, describe(server, options.host));
}

function storeOf({ redis: url, redisCluster, redisSentinels, redisName, deadline }: ProgramOptions) {
  const options = deadline === undefined ? {} : { deadline };
  if ((redisSentinels === undefined) !== (redisName === undefined)) {
    const rule = 'go together: give both, such as --redis-sentinels 192.0.2.7:26379 --redis-name mymaster';
    throw new ConfigError('OPTION_INVALID', 'redis', undefined, `--redis-sentinels and --redis-name ${rule}`);
  }
  if (redisCluster !== undefined) return redisStore({ cluster: redisCluster }, options);
  if (redisSentinels !== undefined) return redisStore({ sentinels: redisSentinels, name: redisName! }, options);
  return url === undefined ? undefined : redisStore({ url }, options);
}

/** @throws ConfigError for a certificate without its key, and for a file that cannot be read */
function certificatesOf({ tlsCert: cert, tlsKey: key, tlsClientCa: clientCa }: ProgramOptions) {
  if (cert !== undefined && key !== undefined) return new CertificateFiles({ cert, key, clientCa });
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined;
  const rule = '--tls-cert and --tls-key go together: give both, also beside --tls-client-ca';
  throw new ConfigError('OPTION_INVALID', 'tls', undefined, rule);
}

interface Made {
  readonly store: RedisStore | undefined;
  readonly certificates: CertificateFiles | undefined;
}

function optionsOf(file: string, options: ProgramOptions, { store, certificates }: Made): ServeOptions {
  const { secret, fleet } = options;
  if (secret === undefined) {
    const rule =
      'is missing: set SLUICE_SECRET to the secret of the middleware, or to a random text of 16 characters or more';
    throw new ConfigError('OPTION_INVALID', 'secret', undefined, `--secret ${rule}`);
  }
  const { prefix, onStoreFailure, share, denyCache, headers } = options;
  const { maxBytes: bytes, maxDescriptors: descriptors, maxConnections: connections, timeout } = options;
  return {
    file,
    secret,
    ...(options.formerSecret && { formerSecrets: [options.formerSecret].flat() }),
    ...(store && { store }),
    ...(options.plainIdentities && { plainIdentities: true }),
    ...(fleet !== undefined && { fleet }),
    listen: { host: options.host, http: options.httpPort, grpc: options.grpcPort, operations: options.operationsPort },
    bounds: defined({ bytes, descriptors, connections, timeout }),
    limiters: defined({
      prefix,
      onStoreFailure,
      share,
      denyCache,
      headers: headers as readonly HeaderFormat[] | undefined,
    }),
    ...(certificates && { tls: certificates.tls }),
    ...(options.token && { tokens: [options.token].flat() }),
    ...(options.dashboardToken && { dashboardTokens: [options.dashboardToken].flat() }),
    ...(options.receipts && { receipts: options.receipts }),
  };
}

/** Without options that were left out. */
function defined<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`sluice-server: ${text}\n`);
}

function describe({ ports }: RateLimitServer, host: string): string {
  const at = Object.entries(ports).flatMap(([name, port]) => (port === undefined ? [] : [`${name} ${host}:${port}`]));
  return `takes requests at ${at.join(', ')}`;
}
