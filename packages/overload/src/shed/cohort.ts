import { randomBytes } from 'node:crypto';

import { digesterOf, digestOf, processWide } from '@sluice/core/internal';

export const COHORTS = 100;
const MINUTE = 60_000;

/** Of processes whose limiters have no secret: a client may be in at one and out at another. */
const secret = () => processWide('cohort-secret', () => randomBytes(32).toString('base64url'));

/** A digest of a text that nobody can compute who does not know a secret. */
type Digester = (text: string) => string;

/**
 * The digester of a limiter with a `secret`, with which all processes of its fleet give a client the same cohort. That of this
 * process for any other one: a public hash would tell a client the addresses that are refused last.
 */
export function cohortDigester(limiter: object | undefined): Digester {
  return (limiter && digesterOf(limiter)) ?? ((text) => digestOf(text, secret()));
}

/**
 * The cohort of a client for a minute, from 0 to 99. Levels refuse cohorts from 0 up, so that a client is served for a minute or
 * not: a page of 20 requests then arrives whole. Minutes of clients begin apart.
 *
 * @param identity its text
 * @param now milliseconds since 1970
 */
export function cohortOf(identity: string, now: number, digester: Digester): number {
  const minute = Math.floor((now + (publicHash(identity) % MINUTE)) / MINUTE);
  // The text of an identity begins with a number: no digest of one is that of a cohort.
  return publicHash(digester(`cohort:${minute}:${identity}`)) % COHORTS;
}

/** Says when a minute of a client begins, which is no secret, and takes a digest for a number. */
function publicHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = mixed(hash ^ text.charCodeAt(index));
  return hash;
}

/** A permutation of 32 bits, in which near numbers get far apart. */
function mixed(bits: number): number {
  const first = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}
