import { claimsOf } from '@sluice/example-shared';

/** @import { Claims } from '@sluice/example-shared' */
/** @import { NextFunction, Request, Response } from 'express' */

/** @typedef {Request & { auth?: Claims }} AuthenticatedRequest */

/**
 * Leaves the claims of a token in `request.auth` once they are verified: `byJwtSubject()` looks there.
 *
 * @param {AuthenticatedRequest} request
 * @param {Response} response
 * @param {NextFunction} next
 */
export async function verifyToken(request, response, next) {
  const claims = await claimsOf(request.get('authorization'));
  if (!claims) {
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'POST /login gives you a token' });
    return;
  }
  request.auth = claims;
  next();
}
