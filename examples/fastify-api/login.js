import { authenticate } from '@sluice/example-shared';
import { signedIn } from '@sluice/fastify';
import { signToken } from './token.js';

/** @import { FastifyReply, FastifyRequest } from 'fastify' */

/**
 * Returns a token for a user name and its password.
 *
 * @param {FastifyRequest} request
 * @param {FastifyReply} reply
 */
export async function login(request, reply) {
  const { user, password } = /** @type {{ user?: unknown, password?: unknown }} */ (request.body ?? {});
  const account = await authenticate(user, password);
  if (!account) return reply.code(401).send({ error: 'Wrong user or password' });
  await signedIn(request.rateLimit);
  return { token: signToken(request.server, account) };
}
