import jwt from '@fastify/jwt';
import { issuer, secret } from '@sluice/example-shared';

/** @import { Account } from '@sluice/example-shared' */
/** @import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify' */

/** @typedef {{ sub: string, plan: string }} Claims */

/**
 * Lets an app sign and verify tokens.
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
 * Verifies the token and stores its claims in `request.user`, where `byJwtSubject()` reads them.
 *
 * @param {FastifyRequest} request
 * @param {FastifyReply} reply
 */
export async function verifyToken(request, reply) {
  try {
    await request.jwtVerify();
    return undefined;
  } catch (error) {
    if (!isInvalidToken(error)) throw error;
    return reply.code(401).header('WWW-Authenticate', 'Bearer').send({ error: 'A token is required: see POST /login' });
  }
}

/** @param {unknown} error */
function isInvalidToken(error) {
  const { statusCode = 500 } = /** @type {{ statusCode?: number }} */ (error);
  return statusCode < 500;
}
