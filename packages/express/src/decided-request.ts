import type { Decision } from '@sluice/core';
import type { Request, Response } from 'express';

/** Prototypes of requests that have been looked at. */
const seen = new WeakSet<object>();

/** Of a request: what its locals have, until somebody writes something else there. */
const RATE_LIMIT: PropertyDescriptor = {
  configurable: true,
  enumerable: true,
  get(this: Request) {
    // Asked of the prototype itself there is no response, and an application may have taken the locals away.
    return (this as Partial<Request>).res?.locals?.rateLimit;
  },
  set(value: unknown) {
    Object.defineProperty(this, 'rateLimit', { value, configurable: true, enumerable: true, writable: true });
  },
};

/**
 * Has `rateLimit` of a request and of its response's locals be a decision. Express gives every request a hidden class of
 * its own, so that a property more takes longer than a decision; its locals are a dictionary, which a getter beside those
 * of Express reads.
 */
export function rememberDecision(request: Request, response: Response, decision: Decision): void {
  response.locals.rateLimit = decision;
  const prototype = Object.getPrototypeOf(request) as object;
  if (!seen.has(prototype)) addGetter(prototype);
  // Not where there is something else of that name, nor where Express is not.
  if (request.rateLimit !== decision) request.rateLimit = decision;
}

/** Where Express has those that all of its applications' requests come from: `express.request`. */
function addGetter(prototype: object): void {
  seen.add(prototype);
  const ofExpress = ownerOf('ip', prototype);
  if (ofExpress && !('rateLimit' in prototype)) Object.defineProperty(ofExpress, 'rateLimit', RATE_LIMIT);
}

function ownerOf(name: string, object: object | null): object | undefined {
  for (let each = object; each !== null; each = Object.getPrototypeOf(each) as object | null) {
    if (Object.hasOwn(each, name)) return each;
  }
  return undefined;
}
