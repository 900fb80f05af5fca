import type { ObjectFields } from './object-fields.js';

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
