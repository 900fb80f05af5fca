import { SKIPPED, type ExtraFields, type LogFormat, type LogReader } from '../log-reader.js';
import { cloudFrontReader } from './cloudfront.js';
import { jsonReader, type JsonFields } from './json-format.js';
import { parseTextFormat, textReader } from './text-format.js';

const COMBINED =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
const COMMON = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html */
const ALB =
  '$type $time $elb $client $target $request_processing_time $target_processing_time $response_processing_time ' +
  '$elb_status_code $target_status_code $received_bytes $sent_bytes "$request" "$user_agent" $ssl_cipher ' +
  '$ssl_protocol $target_group_arn "$trace_id" "$domain_name" "$chosen_cert_arn" $matched_rule_priority ' +
  '$request_creation_time "$actions_executed" "$redirect_url" "$error_reason"';

const CLOUDFLARE: JsonFields = {
  time: ['EdgeStartTimestamp'],
  ip: ['ClientIP'],
  user: [],
  method: ['ClientRequestMethod'],
  url: ['ClientRequestURI'],
  status: ['EdgeResponseStatus'],
};

const CADDY: JsonFields = {
  time: ['ts'],
  taken: { paths: ['duration'], milliseconds: 1e3 },
  // Behind trusted proxies the address of the client; else both are the same.
  ip: ['request.client_ip', 'request.remote_ip'],
  user: ['user_id'],
  method: ['request.method'],
  url: ['request.uri'],
  status: ['status'],
};

const TRAEFIK: JsonFields = {
  time: ['StartUTC', 'StartLocal'],
  ip: ['ClientHost'],
  user: ['ClientUsername'],
  method: ['RequestMethod'],
  url: ['RequestPath'],
  status: ['DownstreamStatus', 'OriginStatus'],
};

/** pino-http, with a log when the response ended. */
const PINO: JsonFields = {
  time: ['time'],
  taken: { paths: ['responseTime'], milliseconds: 1 },
  ip: ['req.ip', 'req.remoteAddress'],
  user: ['req.user', 'user'],
  method: ['req.method'],
  url: ['req.url'],
  status: ['res.statusCode'],
};

/** Names that many use, such as those of nginx with `escape=json`. */
const PLAIN: JsonFields = {
  time: ['msec', 'time', 'timestamp', '@timestamp', 'ts', 'time_iso8601', 'time_local'],
  taken: { paths: ['request_time'], milliseconds: 1e3 },
  ip: ['ip', 'remote_addr', 'remote_ip', 'client_ip', 'remoteAddress'],
  user: ['user', 'remote_user'],
  method: ['method', 'request_method'],
  url: ['url', 'request_uri', 'uri', 'path'],
  status: ['status', 'statusCode'],
};

const json = (name: string, fields: JsonFields): LogFormat => ({ name, reader: (extra) => jsonReader(fields, extra) });

const text = (name: string, format: string): LogFormat => ({
  name,
  reader: (extra) => textReader(parseTextFormat(format), extra),
});

/** Reads lines of pino-http, and lines with plain names. */
function anyJsonReader(extra: ExtraFields): LogReader {
  const [pino, plain] = [jsonReader(PINO, extra), jsonReader(PLAIN, extra)];
  return (line) => {
    const read = pino(line);
    return read === SKIPPED ? plain(line) : read;
  };
}

/** All formats with a name, in the order in which they are tried. */
export const FORMATS: readonly LogFormat[] = [
  { name: 'cloudfront', reader: cloudFrontReader },
  json('cloudflare', CLOUDFLARE),
  json('traefik', TRAEFIK),
  json('caddy', CADDY),
  { name: 'json', reader: anyJsonReader },
  text('alb', ALB),
  text('combined', COMBINED),
  text('common', COMMON),
];

/** The format of `--format`: a name, or a `log_format` of nginx. @throws Failure for a text that is neither */
export function formatOf(given: string): LogFormat {
  const known = FORMATS.find(({ name }) => name === given);
  if (known) return known;
  const format = parseTextFormat(given);
  return { name: 'log_format', reader: (extra) => textReader(format, extra) };
}

/** The format that reads most of the first lines of a log. Undefined where none reads any. */
export function detectFormat(lines: readonly string[]): LogFormat | undefined {
  const scores = FORMATS.map((format) => {
    const reader = format.reader({});
    const isMade = format.name === 'combined' ? isCombined : () => true;
    return lines.filter((line) => typeof reader(line) === 'object' && isMade(line)).length;
  });
  const best = Math.max(...scores);
  if (best > 0) return FORMATS[scores.indexOf(best)];
  // A file of CloudFront may have nothing but its header.
  return lines.some((line) => line.startsWith('#Fields:')) ? FORMATS[0] : undefined;
}

/** The reader of combined needs nothing behind the status. */
function isCombined(line: string): boolean {
  return line.trimEnd().endsWith('"');
}
