import type { Decision } from '@sluice/core';
import type { Request, Response } from 'express';

/** Whether requests of a prototype have `rateLimit` by the getter. */
const having = new WeakMap<object, boolean>();

/** Of a request: what its locals have, until somebody writes something else there. */
const RATE_LIMIT: PropertyDescriptor = {
  configurable: true,
  enumerable: true,
  get(this: Request) {
    // Asked of the prototype itself there is no response.
    return (this as Partial<Request>).res?.locals.rateLimit;
  },
  set(value: unknown) {
    Object.defineProperty(this, 'rateLimit', { value, configurable: true, enumerable: true, writable: true });
  },
};

/**
 * Has `rateLimit` of a request and of its response's locals be a decision. Express gives every request a hidden class of
 * its own, so that a property more takes longer than a decision; its locals are a dictionary, which a getter of
 * the application's requests reads.
 */
export function rememberDecision(request: Request, response: Response, decision: Decision): void {
  response.locals.rateLimit = decision;
  const prototype = Object.getPrototypeOf(request) as object;
  const has = having.get(prototype) ?? addGetter(prototype);
  // Somebody else may have written there.
  if (!has || Object.hasOwn(request, 'rateLimit')) request.rateLimit = decision;
}

/** Tells whether it is there now: not where there is something else of that name, nor where Express is not. */
function addGetter(prototype: object): boolean {
  const ofApp = requestOfApp(prototype);
  if (ofApp && !('rateLimit' in prototype)) Object.defineProperty(ofApp, 'rateLimit', RATE_LIMIT);
  const owner = ownerOf('rateLimit', prototype);
  const has = owner !== undefined && Object.getOwnPropertyDescriptor(owner, 'rateLimit')?.get === RATE_LIMIT.get;
  having.set(prototype, has);
  return has;
}

/** What Express has for applications to extend, `app.request`: that of the outermost, for others are mounted on it. */
function requestOfApp(prototype: object): object | undefined {
  let found: object | undefined;
  for (
    let each = ownerOf('app', prototype);
    each;
    each = ownerOf('app', Object.getPrototypeOf(each) as object | null)
  ) {
    found = each;
  }
  return found;
}

function ownerOf(name: string, object: object | null): object | undefined {
  for (let each = object; each !== null; each = Object.getPrototypeOf(each) as object | null) {
    if (Object.hasOwn(each, name)) return each;
  }
  return undefined;
}
