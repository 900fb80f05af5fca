import { accountWithKey } from '@sluice/example-shared';

/** @import { Account } from '@sluice/example-shared' */
/** @import { FastifyReply, FastifyRequest } from 'fastify' */

/**
 * Whose API key a request has; undefined where it has none that we know.
 *
 * @param {FastifyRequest} request
 * @returns {Account | undefined}
 */
export function keyHolder(request) {
  return accountWithKey(request.headers['x-api-key']);
}

/**
 * Lets nobody pass without a known key.
 *
 * @param {FastifyRequest} request
 * @param {FastifyReply} reply
 */
export async function requireKey(request, reply) {
  if (keyHolder(request)) return undefined;
  return reply.code(401).send({ error: 'X-API-Key is free-key or pro-key' });
}
