import { authenticate, signToken } from '@sluice/example-shared';
import { signedIn } from '@sluice/express';

/** @import { Request, Response } from 'express' */

/**
 * Returns a token for a user name and its password.
 *
 * @param {Request} request
 * @param {Response} response
 */
export async function login(request, response) {
  const { user, password } = request.body ?? {};
  const account = await authenticate(user, password);
  if (!account) {
    response.status(401).json({ error: 'Wrong user or password' });
    return;
  }
  await signedIn(request.rateLimit);
  response.json({ token: await signToken(account) });
}
