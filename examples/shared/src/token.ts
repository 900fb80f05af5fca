import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Account } from './accounts.js';

export type Claims = JWTPayload & { sub: string };

/** Set JWT_SECRET if several processes must accept each other's tokens. */
export const secret = Buffer.from(process.env['JWT_SECRET'] || randomBytes(32));

/** The same for all examples, because a limit by subject also depends on the issuer. */
export const issuer = 'sluice-example';

export function signToken({ name, plan }: Account): Promise<string> {
  return new SignJWT({ plan })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject(name)
    .setExpirationTime('15m')
    .sign(secret);
}

/** The verified claims of the token in the header `authorization`; undefined without a valid token. */
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
