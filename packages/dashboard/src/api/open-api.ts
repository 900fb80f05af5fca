import { type Operation, OPERATIONS, STATUSES } from './operations.js';
import { ANSWERS } from './answers.js';

/** Of the package. */
const VERSION = '0.3.0';

const failure = (status: keyof typeof STATUSES) => ({
  description: STATUSES[status],
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
});

function answerOf({ name, answer, summary }: Operation): object {
  if (answer === undefined) {
    const type = name === 'events' ? 'text/event-stream' : 'application/json';
    return { description: summary, content: { [type]: { schema: {} } } };
  }
  return {
    description: summary,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${answer}` } } },
  };
}

function operationOf(operation: Operation): object {
  const { name, summary, description, role, body, statuses = [] } = operation;
  return {
    operationId: name.replace('.json', ''),
    summary,
    ...(description !== undefined && { description }),
    'x-role': role,
    ...(body !== undefined && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: answerOf(operation),
      ...Object.fromEntries(statuses.map((status) => [status, failure(status)])),
    },
  };
}

/** The API as OpenAPI 3.1: the file `openapi.json` of the package, and what `GET api/openapi.json` answers. */
export function openApi(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice dashboard',
      version: VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Finds clients of rate limits, and changes their limits. Every path is below the mount of the dashboard. A request without a known token is answered by the application, as if nothing was mounted there.',
    },
    servers: [{ url: '/sluice', description: 'Where the application has mounted the dashboard.' }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      OPERATIONS.map((operation: Operation) => [
        `/api/${operation.name}`,
        { [operation.method.toLowerCase()]: operationOf(operation) },
      ]),
    ),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the option `tokens`, with its role in `x-role`.',
        },
      },
      schemas: ANSWERS,
    },
  };
}
