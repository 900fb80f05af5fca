import { accountWithKey } from '@sluice/example-shared';

/** @import { Account } from '@sluice/example-shared' */
/** @import { FastifyReply, FastifyRequest } from 'fastify' */

/**
 * The account of the API key of a request; undefined without a known key.
 *
 * @param {FastifyRequest} request
 * @returns {Account | undefined}
 */
export function keyHolder(request) {
  return accountWithKey(request.headers['x-api-key']);
}

/**
 * Denies requests without a known key.
 *
 * @param {FastifyRequest} request
 * @param {FastifyReply} reply
 */
export async function requireKey(request, reply) {
  if (keyHolder(request)) return undefined;
  return reply.code(401).send({ error: 'X-API-Key must be free-key or pro-key' });
}
