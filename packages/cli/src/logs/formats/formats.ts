import type { ClientAddress } from '@sluice/core';
import { canonicalAddress } from '@sluice/core/operations';
import type { ExtraFields, LogFormat } from '../log-reader.js';
import { cloudFrontReader, iisReader } from './header-format.js';
import { jsonReader, lackOf, type JsonFields } from './json-format.js';
import { parseTextFormat } from './text-format.js';
import { textReader } from './text-reader.js';

const COMBINED =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
/** Of the packages of nginx.org, whose nginx often runs behind a balancer. */
const MAIN = `${COMBINED} "$http_x_forwarded_for"`;
const COMMON = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';

/** Of the virtual hosts of Apache, as Debian configures it. */
const VHOST_COMBINED = `$vhost ${COMBINED}`;

/** `option httplog`, behind the prefix of any syslog: https://docs.haproxy.org/3.2/configuration.html#8.2.3 */
const HAPROXY =
  '$client [$accept_date] $frontend $backend $timers $status $bytes $request_cookie $response_cookie $termination ' +
  '$connections $queues "$request"';

/** The default of Traefik: https://doc.traefik.io/traefik/observability/access-logs/ */
const TRAEFIK_COMMON = `${COMBINED} $request_count "$router" "$server_url" \${duration}ms`;

/** The defaults of Envoy and of Istio: https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage */
const ENVOY =
  '[$time_iso8601] "$request" $status $flags $received_bytes $sent_bytes $duration $upstream_time ' +
  '"$appended_forwarded_for" "$user_agent" "$request_id" "$authority" "$upstream_host"';
const ISTIO =
  '[$time_iso8601] "$request" $status $flags $details $termination "$failure" $received_bytes $sent_bytes $duration ' +
  '$upstream_time "$http_x_forwarded_for" "$user_agent" "$request_id" "$authority" "$upstream_host" $upstream_cluster ' +
  '$upstream_local $downstream_local $client $server_name $route';

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html */
const ALB =
  '$type $time $elb $client $target $request_processing_time $target_processing_time $response_processing_time ' +
  '$elb_status_code $target_status_code $received_bytes $sent_bytes "$request" "$user_agent" $ssl_cipher ' +
  '$ssl_protocol $target_group_arn "$trace_id" "$domain_name" "$chosen_cert_arn" $matched_rule_priority ' +
  '$request_creation_time "$actions_executed" "$redirect_url" "$error_reason"';

const CLOUDFLARE: JsonFields = {
  time: ['EdgeStartTimestamp'],
  ip: ['ClientIP'],
  forwarded: [],
  user: [],
  method: ['ClientRequestMethod'],
  url: ['ClientRequestURI'],
  status: ['EdgeResponseStatus'],
  agent: ['ClientRequestUserAgent'],
};

const CADDY: JsonFields = {
  time: ['ts'],
  taken: { paths: ['duration'], milliseconds: 1e3 },
  // Behind trusted proxies the address of the client; else both are the same.
  ip: ['request.client_ip', 'request.remote_ip'],
  forwarded: ['request.headers.X-Forwarded-For'],
  user: ['user_id'],
  method: ['request.method'],
  url: ['request.uri'],
  status: ['status'],
  agent: ['request.headers.User-Agent'],
};

const TRAEFIK: JsonFields = {
  time: ['StartUTC', 'StartLocal'],
  ip: ['ClientHost'],
  forwarded: ['request_X-Forwarded-For'],
  user: ['ClientUsername'],
  method: ['RequestMethod'],
  url: ['RequestPath'],
  status: ['DownstreamStatus', 'OriginStatus'],
  agent: ['request_User-Agent'],
};

/** Akamai DataStream 2: https://techdocs.akamai.com/datastream2/docs/data-set-parameters-1 */
const AKAMAI: JsonFields = {
  time: ['reqTimeSec'],
  ip: ['cliIP'],
  forwarded: ['xForwardedFor'],
  user: [],
  method: ['reqMethod'],
  url: ['reqPath'],
  status: ['statusCode'],
  agent: ['UA'],
};

/** Requests that load balancers of Google Cloud log: https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry */
const GCP: JsonFields = {
  time: ['timestamp'],
  ip: ['httpRequest.remoteIp'],
  forwarded: [],
  user: [],
  method: ['httpRequest.requestMethod'],
  url: ['httpRequest.requestUrl'],
  status: ['httpRequest.status'],
  agent: ['httpRequest.userAgent'],
};

/** pino-http, with a log when the response ended. */
const PINO: JsonFields = {
  time: ['time'],
  taken: { paths: ['responseTime'], milliseconds: 1 },
  ip: ['req.ip', 'req.remoteAddress'],
  forwarded: ['req.headers.x-forwarded-for'],
  user: ['req.user', 'user'],
  method: ['req.method'],
  url: ['req.url'],
  status: ['res.statusCode'],
  agent: ['req.headers.user-agent'],
};

/** Names that many use, such as those of nginx with `escape=json`. */
const PLAIN: JsonFields = {
  time: ['msec', 'time', 'timestamp', '@timestamp', 'ts', 'time_iso8601', 'time_local'],
  taken: { paths: ['request_time'], milliseconds: 1e3 },
  ip: ['ip', 'remote_addr', 'remote_ip', 'client_ip', 'clientip', 'clientIp', 'remoteAddress'],
  forwarded: ['http_x_forwarded_for', 'x_forwarded_for', 'xForwardedFor'],
  user: ['user', 'remote_user'],
  method: ['method', 'request_method'],
  url: ['url', 'request_uri', 'uri', 'path'],
  status: ['status', 'statusCode'],
  agent: ['http_user_agent', 'user_agent', 'userAgent'],
};

/** The Elastic Common Schema, with a log when the response ended. */
const ECS: JsonFields = {
  time: ['@timestamp'],
  taken: { paths: ['event.duration'], milliseconds: 1e-6 },
  ip: ['client.ip', 'client.address', 'source.ip', 'source.address'],
  forwarded: ['http.request.headers.x-forwarded-for'],
  user: ['user.name', 'user.id'],
  method: ['http.request.method'],
  url: ['url.original', 'url.path'],
  status: ['http.response.status_code'],
  agent: ['user_agent.original'],
};

const json = (name: string, ...fields: readonly JsonFields[]): LogFormat => ({
  name,
  isJson: true,
  reader: (extra) => jsonReader(fields, extra),
});

const text = (name: string, format: string): LogFormat => ({
  name,
  isJson: false,
  reader: (extra) => textReader(parseTextFormat(format), extra),
});

/** All formats with a name, in the order in which they are tried. */
export const FORMATS: readonly LogFormat[] = [
  { name: 'cloudfront', isJson: false, reader: cloudFrontReader },
  { name: 'iis', isJson: false, reader: iisReader },
  json('cloudflare', CLOUDFLARE),
  json('traefik', TRAEFIK),
  json('caddy', CADDY),
  json('akamai', AKAMAI),
  json('gcp', GCP),
  json('json', PINO, ECS, PLAIN),
  text('alb', ALB),
  text('istio', ISTIO),
  text('envoy', ENVOY),
  text('haproxy', HAPROXY),
  text('vhost-combined', VHOST_COMBINED),
  text('traefik-common', TRAEFIK_COMMON),
  text('main', MAIN),
  text('combined', COMBINED),
  text('common', COMMON),
];

/** The format of `--format`: a name, or a `log_format` of nginx. @throws Failure for a string that is neither */
export function formatOf(given: string): LogFormat {
  const known = FORMATS.find(({ name }) => name === given);
  if (known) return known;
  const format = parseTextFormat(given);
  return { name: 'log_format', isJson: false, reader: (extra) => textReader(format, extra) };
}

/**
 * The format that reads most of the first lines of a log. Undefined where none reads any.
 *
 * @param key of `--key`, with which lines of JSON need no address
 */
export function detectFormat(lines: readonly Buffer[], key?: string): LogFormat | undefined {
  const scores = FORMATS.map((format) => {
    const reader = format.reader(format.isJson ? { key } : (EXTRAS[format.name] ?? {}));
    const isMade = format.name === 'combined' ? isCombined : () => true;
    return lines.filter((line) => typeof reader(line) === 'object' && isMade(line)).length;
  });
  const best = Math.max(...scores);
  if (best > 0) return FORMATS[scores.indexOf(best)];
  // A file of CloudFront may have nothing but its header.
  return lines.some((line) => line.toString().startsWith('#Fields:')) ? FORMATS[0] : undefined;
}

/** True where most lines name another client than their address in `X-Forwarded-For`. */
export function namesOthers(format: LogFormat, lines: readonly Buffer[]): boolean {
  let others = 0;
  const addressOf: ClientAddress = (peer, header) => {
    const forwarded = String(header ?? '');
    if (forwarded !== '' && forwarded !== '-' && forwarded !== peer) others += 1;
    return peer;
  };
  try {
    const reader = format.reader({ addressOf });
    for (const line of lines) reader(line);
  } catch {
    // The format has no such header.
    return false;
  }
  return others * 2 > lines.length;
}

/** What the lines of JSON lack that a request needs, as a sentence. Undefined for other lines. */
export function lackOfJson(lines: readonly Buffer[], key: string | undefined): string | undefined {
  const lack = lackOf(lines, [PINO, ECS, PLAIN], key);
  return lack && `no request can be read: the lines have ${lack}`;
}

/** True for `X-Forwarded-For` as a balancer leaves it, or for no such header. */
function isForwarded(header: string): boolean {
  return header === '' || canonicalAddress(header.slice(header.lastIndexOf(',') + 1)) !== undefined;
}

/** What the readers of formats must find, which need nothing behind the status. */
const EXTRAS: Readonly<Record<string, ExtraFields>> = {
  'traefik-common': { key: 'duration' },
  main: { addressOf: (peer, forwarded) => (isForwarded(String(forwarded)) ? peer : '') },
};

const AGENT = /" \d{3} \S+ "(?:[^"\\]|\\.)*" "/;

/** The reader of combined needs nothing behind the status. More columns may follow, as in the ingress of Kubernetes. */
function isCombined(line: Buffer): boolean {
  return AGENT.test(line.toString());
}
