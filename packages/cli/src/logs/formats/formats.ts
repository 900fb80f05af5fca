// formats/ has the log formats of `replay`: a new one is a row of FORMATS here, with a name in format-names.ts, and a
// pattern in text-patterns.ts or the names of its fields in json-fields.ts or cloud-fields.ts. Lines enter, and logged
// requests leave. It imports lines/ and failure.
import { SKIPPED, type LogFormat, type LogReader, type ReadLine } from '../lines/log-reader.js';
import { cloudFrontReader, iisReader } from './header-format.js';
import * as clouds from './cloud-fields.js';
import * as fields from './json-fields.js';
import type { FormatName } from './format-names.js';
import { jsonReader, type ParseLine } from './json-format.js';
import type { ObjectFields } from './object-fields.js';
import { parseHeroku, parseLtsv, parseSquid } from './parsed-lines.js';
import * as texts from './text-patterns.js';
import { parseTextFormat } from './text-format.js';
import { textReader } from './text-reader.js';

interface NamedFormat extends LogFormat {
  readonly name: FormatName;
}

const json = (name: FormatName, ...formats: readonly ObjectFields[]): NamedFormat => ({
  name,
  isJson: true,
  reader: (extra, sample = []) => jsonReader(formats, extra, { sample }),
});

/** Lines that are read into an object of their own. */
const parsed = (name: FormatName, parse: ParseLine, format: ObjectFields): NamedFormat => ({
  name,
  isJson: false,
  reader: (extra, sample = []) => jsonReader([format], extra, { sample, parse }),
});

/** Of several formats with one name a line has any. */
const text = (name: FormatName, ...formats: readonly string[]): NamedFormat => {
  const columns = formats.map(parseTextFormat);
  return { name, isJson: false, reader: (extra) => anyReader(columns.map((format) => textReader(format, extra))) };
};

/** All formats with a name, in the order in which they are tried. */
export const FORMATS: readonly NamedFormat[] = [
  { name: 'cloudfront', isJson: false, reader: cloudFrontReader },
  { name: 'iis', isJson: false, reader: iisReader },
  // First, because its names are those that lines without an address have.
  json('json', fields.PINO, fields.ECS, fields.PLAIN),
  json('cloudflare', clouds.CLOUDFLARE),
  json('traefik', fields.TRAEFIK),
  json('caddy', fields.CADDY),
  json('akamai', clouds.AKAMAI),
  json('gcp', clouds.GCP),
  json('api-gateway', clouds.API_GATEWAY),
  json('envoy-json', fields.ENVOY_JSON),
  json('vercel', clouds.VERCEL),
  json('kong', fields.KONG),
  json('azure', clouds.AZURE),
  json('express-winston', fields.EXPRESS_WINSTON),
  parsed('heroku', parseHeroku, clouds.HEROKU),
  parsed('ltsv', parseLtsv, fields.LTSV),
  parsed('squid', parseSquid, fields.SQUID),
  text('alb', texts.ALB),
  text('elb', texts.ELB),
  text('s3', texts.S3),
  text('istio', texts.ISTIO),
  text('envoy', texts.ENVOY),
  text('haproxy', texts.HAPROXY),
  text('haproxy-clf', texts.HAPROXY_CLF),
  text('nginx-proxy-manager', texts.NGINX_PROXY_MANAGER, texts.NGINX_PROXY_MANAGER_STANDARD),
  text('vhost-combined', texts.VHOST_COMBINED),
  text('traefik-common', texts.TRAEFIK_COMMON),
  text('main', texts.MAIN),
  text('combined', texts.COMBINED),
  text('api-gateway-clf', texts.API_GATEWAY, texts.API_GATEWAY_SPACED),
  text('common', texts.COMMON),
];

/** The fields of formats of JSON without a tool of their own. */
export const ANY_JSON: readonly ObjectFields[] = [fields.PINO, fields.ECS, fields.PLAIN];

/** The format of `--format`: a name, or a `log_format` of nginx. @throws Failure for a string that is neither */
export function formatOf(given: string): LogFormat {
  const known = FORMATS.find(({ name }) => name === given);
  if (known) return known;
  const format = parseTextFormat(given);
  return { name: 'log_format', isJson: false, reader: (extra) => textReader(format, extra) };
}

/** Reads a line by the first reader that can. */
function anyReader(readers: readonly LogReader[]): LogReader {
  const [first] = readers;
  if (readers.length === 1) return first!;
  const readLine: ReadLine = (bytes, start, end) => {
    for (const read of readers) {
      const found = read(bytes, start, end);
      if (found !== undefined && found !== SKIPPED) return found;
    }
    return undefined;
  };
  return Object.assign(readLine, {
    isWholeSeconds: () => readers.every((reader) => reader.isWholeSeconds()),
    hasForwarded: () => readers.some((reader) => reader.hasForwarded()),
    rest: () => [],
  });
}
