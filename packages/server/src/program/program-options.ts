import { Command, InvalidArgumentError, Option } from 'commander';

/** Options of the command line, as commander leaves them. */
export interface ProgramOptions {
  readonly redis?: string;
  readonly redisCluster?: readonly string[];
  readonly redisSentinels?: readonly SentinelAddress[];
  readonly redisName?: string;
  readonly deadline?: string;
  readonly secret?: string;
  /** One text from the environment. */
  readonly formerSecret?: string | readonly string[];
  readonly plainIdentities?: true;
  readonly host: string;
  readonly httpPort: number | false;
  readonly grpcPort: number | false;
  readonly operationsPort: number | false;
  readonly token?: readonly string[];
  readonly dashboardToken?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsClientCa?: string;
  /** Undefined without both options, because `--fleet` is declared before `--no-fleet`. */
  readonly fleet?: string | false;
  readonly prefix?: string;
  readonly onStoreFailure?: 'local' | 'allow' | 'deny';
  readonly share?: number;
  readonly denyCache: boolean;
  readonly headers?: readonly string[];
  readonly receipts?: string;
  readonly maxBytes?: number;
  readonly maxDescriptors?: number;
  readonly maxConnections?: number;
  readonly timeout?: string;
  readonly drain: number;
}

interface SentinelAddress {
  readonly host: string;
  readonly port: number;
}

/** The command line. Help and docs/reference/server.md are made from it. */
export function createProgram(version: string): Command {
  return new Command('sluice-server')
    .description(
      "Serves the limits of a file of policies to programs in any language: by Envoy's protocol (gRPC) and by HTTP. Counts are shared with every middleware of Sluice that has the same file, Redis and secret.",
    )
    .argument('<file>', 'file of policies, such as limits.yaml')
    .addOption(
      new Option('--redis <url>', 'Redis of all processes, such as redis://127.0.0.1:6379')
        .env('SLUICE_REDIS_URL')
        .conflicts('redisCluster'),
    )
    .option('--redis-cluster <urls...>', 'nodes of a Redis Cluster')
    .addOption(
      new Option('--redis-sentinels <addresses...>', 'Sentinels, such as 192.0.2.7:26379')
        .argParser(sentinelsOf)
        .conflicts(['redis', 'redisCluster']),
    )
    .option('--redis-name <name>', 'name of the primary that the Sentinels watch')
    .option('--deadline <duration>', 'longest wait of a request for Redis (default: 50ms)')
    .addOption(
      new Option('--secret <text>', 'signs receipts, and makes digests of identities as secret of the middleware').env(
        'SLUICE_SECRET',
      ),
    )
    .addOption(
      new Option('--former-secret <text...>', 'secrets of before, by which receipts are taken still').env(
        'SLUICE_FORMER_SECRET',
      ),
    )
    .option('--plain-identities', 'the middleware has no secret: make digests of identities without one')
    .option('--host <address>', 'address of all ports', '127.0.0.1')
    .addOption(portOption('--http-port <port>', 'port of POST /check, or none', 8080))
    .addOption(portOption('--grpc-port <port>', 'port of ShouldRateLimit, or none', 8081))
    .addOption(
      portOption('--operations-port <port>', 'port of /metrics, /healthz, /readyz and /dashboard, or none', 6070),
    )
    .addOption(
      new Option('--token <token...>', 'tokens, of which callers send one: authorization: Bearer TOKEN').env(
        'SLUICE_TOKEN',
      ),
    )
    .addOption(
      new Option('--dashboard-token <token...>', 'serves the dashboard for persons with this password').env(
        'SLUICE_DASHBOARD_TOKEN',
      ),
    )
    .option('--tls-cert <file>', 'certificates, as PEM')
    .option('--tls-key <file>', 'key of the certificate, as PEM')
    .option('--tls-client-ca <file>', 'authority of the certificates that clients must have')
    .option('--fleet <name>', 'name of the policies in Redis (default: limits, with --redis)')
    .option('--no-fleet', 'the file alone, and no policies in Redis')
    .option('--prefix <text>', 'first part of all keys, as of the middleware')
    .addOption(
      new Option('--on-store-failure <what>', 'what happens while Redis is away').choices(['local', 'allow', 'deny']),
    )
    .option('--share <part>', 'part of each limit that this process allows alone', partOf)
    .option('--no-deny-cache', 'ask Redis about every request')
    .option('--headers <formats...>', 'formats of the rate-limit headers')
    .option('--receipts <duration>', 'how long receipts are taken (default: 1d)')
    .option('--max-bytes <bytes>', 'bytes of a message (default: 262144)', wholeNumber)
    .option('--max-descriptors <count>', 'descriptors of a request (default: 32)', wholeNumber)
    .option('--max-connections <count>', 'connections of each port (default: 1024)', wholeNumber)
    .option('--timeout <duration>', 'in which a request must have come (default: 10s)')
    .option('--drain <seconds>', 'time to answer calls in flight after SIGTERM', wholeNumber, 10)
    .version(version)
    .addHelpText(
      'after',
      '\nExamples:\n  $ SLUICE_SECRET=… npx @sluice/server limits.yaml --redis redis://127.0.0.1:6379\n  $ SLUICE_SECRET=… npx @sluice/server limits.yaml --redis redis://redis:6379 --host 0.0.0.0 --token "$TOKEN"',
    )
    .showHelpAfterError('(npx @sluice/server --help lists all options)')
    .exitOverride();
}

function portOption(flags: string, description: string, port: number): Option {
  return new Option(flags, description).default(port).argParser(portOf);
}

function portOf(text: string): number | false {
  if (text === 'none') return false;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a port from 0 to 65535, or none.');
}

/** Commander calls it for each address. */
function sentinelsOf(text: string, before: readonly SentinelAddress[] = []): readonly SentinelAddress[] {
  const [, host, port] = /^\[?([^\s\]]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError('It must be a host and a port, such as 192.0.2.7:26379.');
  return [...before, { host, port: Number(port) }];
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

function partOf(text: string): number {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw new InvalidArgumentError('It must be above 0 and at most 1, such as 0.25 for one of four processes.');
}
