import type { ObjectFields } from './object-reader.js';

export const CLOUDFLARE: ObjectFields = {
  time: ['EdgeStartTimestamp'],
  ip: ['ClientIP'],
  forwarded: [],
  user: [],
  method: ['ClientRequestMethod'],
  url: ['ClientRequestURI'],
  status: ['EdgeResponseStatus'],
  agent: ['ClientRequestUserAgent'],
};

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
export const AKAMAI: ObjectFields = {
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
export const GCP: ObjectFields = {
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
export const PINO: ObjectFields = {
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
export const API_GATEWAY: ObjectFields = {
  time: ['requestTimeEpoch', 'requestTime'],
  ip: ['ip', 'sourceIp'],
  forwarded: [],
  user: ['user', 'caller'],
  method: ['httpMethod'],
  url: ['path', 'resourcePath'],
  request: ['routeKey'],
  status: ['status'],
  agent: ['userAgent'],
};

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
export const VERCEL: ObjectFields = {
  time: ['proxy.timestamp'],
  ip: ['proxy.clientIp'],
  forwarded: [],
  user: [],
  method: ['proxy.method'],
  url: ['proxy.path'],
  status: ['proxy.statusCode', 'statusCode'],
  // What a function prints comes with the request, once a line.
  id: ['requestId'],
  agent: ['proxy.userAgent'],
};

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
export const AZURE: ObjectFields = {
  time: ['time', 'timeStamp'],
  taken: { paths: ['properties.timeTaken'], milliseconds: 1e3 },
  ip: ['properties.clientIp', 'properties.clientIP'],
  forwarded: [],
  user: [],
  method: ['properties.httpMethod'],
  url: ['properties.requestUri', 'properties.originalRequestUriWithArgs'],
  status: ['properties.httpStatusCode', 'properties.httpStatus'],
  agent: ['properties.userAgent'],
};

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
export const HEROKU: ObjectFields = {
  time: ['time'],
  taken: { paths: ['service'], milliseconds: 1 },
  ip: ['fwd'],
  forwarded: [],
  user: [],
  method: ['method'],
  url: ['path'],
  status: ['status'],
  agent: [],
};

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
