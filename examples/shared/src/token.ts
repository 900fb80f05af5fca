import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Account } from './accounts.js';

export type Claims = JWTPayload & { sub: string };

/** Processes that are to take each other's tokens need one; limits go by who a token speaks of, and need none. */
export const secret = Buffer.from(process.env['JWT_SECRET'] || randomBytes(32));

/** One for all examples: a subject of another issuer is another subject. */
export const issuer = 'sluice-example';

export function signToken({ name, plan }: Account): Promise<string> {
  return new SignJWT({ plan })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject(name)
    .setExpirationTime('15m')
    .sign(secret);
}

/** The claims of the token in a header `authorization`, verified; undefined where there is none, or none of ours. */
export async function claimsOf(authorization = ''): Promise<Claims | undefined> {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  try {
    const { payload } = await jwtVerify(token, secret, { issuer, algorithms: ['HS256'], requiredClaims: ['sub'] });
    return payload as Claims;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
