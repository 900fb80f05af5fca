import { schemas } from './open-api-schemas.js';
import { ROUTES } from './routes.js';

type Json = Readonly<Record<string, unknown>>;

/** The schemas of the body and of the reply of each route. */
const BODIES: Readonly<Record<string, readonly [body: string, reply: string]>> = {
  'POST /check': ['Check', 'Admitted'],
  'POST /refund': ['Refund', 'Refunded'],
  'POST /settle': ['Settle', 'Settled'],
  'POST /release': ['Release', 'Released'],
  'POST /renew': ['Release', 'Renewed'],
};

/** The service in OpenAPI 3.1. `openapi.json` of the package is this document. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [route, { summary }] of Object.entries(ROUTES)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { [method.toLowerCase()]: operation(route, summary) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rate-limit service of Sluice',
      version: '1',
      description: 'Decides requests of programs in any language by the file of policies that the middleware reads.',
    },
    security: [{ token: [] }, {}],
    paths: {
      ...paths,
      '/openapi.json': {
        get: { summary: 'This document.', security: [{}], responses: { 200: described('This document.', {}) } },
      },
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas,
    },
  };
}

function operation(route: string, summary: string): Json {
  const [body, reply] = BODIES[route]!;
  const isCheck = route === 'POST /check';
  return {
    summary,
    operationId: route.slice('POST /'.length),
    requestBody: { required: true, content: jsonOf(body) },
    responses: {
      200: described(isCheck ? 'The request is admitted.' : 'Done.', jsonOf(reply), isCheck),
      ...(isCheck && {
        422: described('The request can never fit its limit.', problemOf('Denied'), true),
        429: described(
          'The request is denied. Send this status, these headers and this body to its client.',
          problemOf('Denied'),
          true,
        ),
      }),
      400: described('The call is wrong: detail says what to write.', problemOf('Problem')),
      401: described('The token is missing or wrong.', problemOf('Problem')),
      413: described('The body is too large.', problemOf('Problem')),
      415: described('The body is not application/json.', problemOf('Problem')),
      503: described('Redis is away, and nothing else can answer.', problemOf(isCheck ? 'Unavailable' : 'Problem')),
    },
  };
}

function described(description: string, content: Json, hasHeaders = false): Json {
  return {
    description,
    ...(Object.keys(content).length > 0 && { content }),
    ...(hasHeaders && {
      headers: {
        'X-RateLimit-Limit': { schema: { type: 'string' } },
        'X-RateLimit-Remaining': { schema: { type: 'string' } },
        'X-RateLimit-Reset': { schema: { type: 'string' } },
        'Retry-After': { schema: { type: 'string' } },
      },
    }),
  };
}

function jsonOf(schema: string): Json {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
}

function problemOf(schema: string): Json {
  return { 'application/problem+json': { schema: { $ref: `#/components/schemas/${schema}` } } };
}
