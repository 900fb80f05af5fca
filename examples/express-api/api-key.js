import { accountWithKey } from '@sluice/example-shared';

/** @import { Account } from '@sluice/example-shared' */
/** @import { NextFunction, Request, Response } from 'express' */

/**
 * Whose API key a request has; undefined where it has none that we know.
 *
 * @param {Request} request
 * @returns {Account | undefined}
 */
export function keyHolder(request) {
  return accountWithKey(request.get('x-api-key'));
}

/**
 * Lets nobody pass without a known key.
 *
 * @param {Request} request
 * @param {Response} response
 * @param {NextFunction} next
 */
export function requireKey(request, response, next) {
  if (keyHolder(request)) next();
  else response.status(401).json({ error: 'X-API-Key is free-key or pro-key' });
}
