import jwt from '@fastify/jwt';
import { issuer, secret } from '@sluice/example-shared';

/** @import { Account } from '@sluice/example-shared' */
/** @import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify' */

/** @typedef {{ sub: string, plan: string }} Claims */

/**
 * Has an app sign tokens, and verify them.
 *
 * @param {FastifyInstance} app
 */
export async function useTokens(app) {
  await app.register(jwt, {
    secret,
    sign: { iss: issuer, expiresIn: '15m' },
    verify: { allowedIss: issuer, algorithms: ['HS256'], requiredClaims: ['sub'] },
  });
}

/**
 * @param {FastifyInstance} app
 * @param {Account} account
 */
export function signToken(app, { name, plan }) {
  return app.jwt.sign({ sub: name, plan });
}

/**
 * Leaves the claims of a token in `request.user` once they are verified: `byJwtSubject()` looks there.
 *
 * @param {FastifyRequest} request
 * @param {FastifyReply} reply
 */
export async function verifyToken(request, reply) {
  try {
    await request.jwtVerify();
    return undefined;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ error: 'POST /login gives you a token' });
  }
}

/** @param {unknown} error */
function isRefused(error) {
  const { statusCode = 500 } = /** @type {{ statusCode?: number }} */ (error);
  return statusCode < 500;
}
