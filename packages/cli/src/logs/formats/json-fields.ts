import type { ObjectFields } from './object-fields.js';

export const CADDY: ObjectFields = {
  time: ['ts'],
  taken: { paths: ['duration'], milliseconds: 1e3 },
  // Behind trusted proxies the address of the client; else both are the same. Caddy before 2.5 logs it with its port.
  ip: ['request.client_ip', 'request.remote_ip', 'request.remote_addr'],
  forwarded: ['request.headers.X-Forwarded-For'],
  user: ['user_id'],
  method: ['request.method'],
  url: ['request.uri'],
  status: ['status'],
  agent: ['request.headers.User-Agent'],
};

export const TRAEFIK: ObjectFields = {
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
/** Requests that load balancers of Google Cloud log: https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry */
/** pino-http, with a log when the response ended. */
export const PINO: ObjectFields = {
  time: ['time'],
  taken: { paths: ['responseTime'], milliseconds: 1 },
  ip: ['req.ip', 'req.remoteAddress'],
  forwarded: ['req.headers.x-forwarded-for'],
  user: ['req.user', 'user'],
  method: ['req.method'],
  url: ['req.url'],
  status: ['res.statusCode'],
  // Fastify logs the client when a request arrives, and the status when it is answered.
  joinedBy: ['reqId', 'req.id'],
  agent: ['req.headers.user-agent'],
};

/** Names that many use, such as those of nginx with `escape=json`. */
export const PLAIN: ObjectFields = {
  time: ['msec', 'time', 'timestamp', '@timestamp', 'ts', 'time_iso8601', 'time_local'],
  taken: { paths: ['request_time'], milliseconds: 1e3 },
  ip: ['ip', 'remote_addr', 'remote_ip', 'client_ip', 'clientip', 'clientIp', 'remoteAddress'],
  forwarded: ['http_x_forwarded_for', 'x_forwarded_for', 'xForwardedFor'],
  user: ['user', 'remote_user'],
  method: ['method', 'request_method'],
  url: ['url', 'request_uri', 'uri', 'path'],
  status: ['status', 'statusCode', 'status_code'],
  response: ['responseTime', 'response_time'],
  agent: ['http_user_agent', 'user_agent', 'userAgent'],
};

/** The Elastic Common Schema, with a log when the response ended. */
export const ECS: ObjectFields = {
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

/** The access logs of REST and HTTP APIs in JSON, as the console of AWS proposes them. */
/** The defaults of Istio and of Envoy Gateway in JSON. */
export const ENVOY_JSON: ObjectFields = {
  time: ['start_time'],
  ip: ['downstream_remote_address', 'x_forwarded_for', 'x-forwarded-for'],
  forwarded: ['x_forwarded_for', 'x-forwarded-for'],
  user: [],
  method: ['method'],
  url: ['path', 'x-envoy-origin-path'],
  status: ['response_code'],
  agent: ['user_agent', 'user-agent'],
};

/** https://vercel.com/docs/drains/reference/logs */
/** https://developer.konghq.com/plugins/file-log/ and the other plugins that log. */
export const KONG: ObjectFields = {
  time: ['started_at'],
  ip: ['client_ip'],
  forwarded: ['request.headers.x-forwarded-for'],
  user: ['consumer.username', 'consumer.custom_id', 'consumer.id'],
  method: ['request.method'],
  url: ['request.uri'],
  status: ['response.status'],
  agent: ['request.headers.user-agent'],
};

/** Front Door and Application Gateway: https://learn.microsoft.com/azure/frontdoor/front-door-diagnostics */
/** A log when the response ended. The address needs `requestWhitelist` or a `dynamicMeta`; else a proxy must name it. */
export const EXPRESS_WINSTON: ObjectFields = {
  time: ['timestamp', '@timestamp', 'time'],
  taken: { paths: ['meta.responseTime'], milliseconds: 1 },
  ip: [
    'meta.req.ip',
    'meta.req.remoteAddress',
    'meta.req.connection.remoteAddress',
    'meta.ip',
    'meta.remoteIp',
    'meta.httpRequest.remoteIp',
    'meta.req.headers.x-forwarded-for',
  ],
  forwarded: ['meta.req.headers.x-forwarded-for'],
  user: ['meta.req.user', 'meta.user'],
  method: ['meta.req.method', 'meta.httpRequest.requestMethod'],
  url: ['meta.req.originalUrl', 'meta.req.url', 'meta.httpRequest.requestUrl'],
  status: ['meta.res.statusCode', 'meta.httpRequest.status'],
  agent: ['meta.req.headers.user-agent', 'meta.httpRequest.userAgent'],
};

/** Labels that http://ltsv.org recommends, and names of nginx. */
export const LTSV: ObjectFields = {
  time: ['msec', 'time', 'time_iso8601', 'time_local'],
  taken: { paths: ['reqtime', 'request_time'], milliseconds: 1e3 },
  ip: ['remote_addr', 'host'],
  forwarded: ['forwardedfor', 'http_x_forwarded_for', 'x_forwarded_for', 'xff'],
  user: ['user', 'remote_user'],
  method: ['method', 'request_method'],
  url: ['uri', 'request_uri', 'path'],
  request: ['req', 'request'],
  status: ['status'],
  agent: ['ua', 'user_agent', 'http_user_agent'],
};

/** The router of Heroku, whose time stands before its fields. It appends the client to the header. */
/** The native format of Squid, whose time is the end. */
export const SQUID: ObjectFields = {
  time: ['time'],
  taken: { paths: ['elapsed'], milliseconds: 1 },
  ip: ['ip'],
  forwarded: [],
  user: ['user'],
  method: ['method'],
  url: ['url'],
  status: ['status'],
  agent: [],
};
