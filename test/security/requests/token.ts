import type { RequestHandler } from 'express';
import { asciiJson, type RawRequest } from './raw-request.js';

/** A request with the claims of a token: any value, for a middleware that verifies may be told anything. */
export const claims = (value: unknown): RawRequest => ({ body: asciiJson(value) });

/** What stands for a middleware that verifies: all that it is told is true. */
export const verifyToken: RequestHandler = (request, _response, next) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (text += String(chunk)));
  request.on('end', () => {
    if (text !== '') Object.assign(request, { auth: JSON.parse(text) as unknown });
    next();
  });
};
