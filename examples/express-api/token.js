import { claimsOf } from '@sluice/example-shared';

/** @import { Claims } from '@sluice/example-shared' */
/** @import { NextFunction, Request, Response } from 'express' */

/** @typedef {Request & { auth?: Claims }} AuthenticatedRequest */

/**
 * Verifies the token and stores its claims in `request.auth`, where `byJwtSubject()` reads them.
 *
 * @param {AuthenticatedRequest} request
 * @param {Response} response
 * @param {NextFunction} next
 */
export async function verifyToken(request, response, next) {
  const claims = await claimsOf(request.get('authorization'));
  if (!claims) {
    response.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'A token is required: see POST /login' });
    return;
  }
  request.auth = claims;
  next();
}
