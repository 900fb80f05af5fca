import { accountWithKey } from '@sluice/example-shared';

/** @import { Account } from '@sluice/example-shared' */
/** @import { NextFunction, Request, Response } from 'express' */

/**
 * The account of the API key of a request; undefined without a known key.
 *
 * @param {Request} request
 * @returns {Account | undefined}
 */
export function keyHolder(request) {
  return accountWithKey(request.get('x-api-key'));
}

/**
 * Denies requests without a known key.
 *
 * @param {Request} request
 * @param {Response} response
 * @param {NextFunction} next
 */
export function requireKey(request, response, next) {
  if (keyHolder(request)) next();
  else response.status(401).json({ error: 'X-API-Key must be free-key or pro-key' });
}
