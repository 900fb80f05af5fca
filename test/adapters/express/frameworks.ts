import { createRequire } from 'node:module';
import express5, { type Application, type RequestHandler } from 'express';

/** Makes an app: `express()`. */
export type Express = typeof express5;

/** The versions that are supported, for `describe.each`. */
export const versions: readonly [name: string, express: Express][] = [
  ['Express 5', express5],
  // Its types are those of another package; what the tests call is the same.
  ['Express 4', createRequire(import.meta.url)('express-4') as Express],
];

/** An app that serves whatever its middleware lets through, at every path. */
export function served(express: Express, ...before: readonly RequestHandler[]): Application {
  const app = express();
  for (const handler of before) app.use(handler);
  app.use((_request, response) => void response.send('served'));
  return app;
}
