import type { HttpServer } from '../http-contestant.js';
import { serveExpress } from './app.js';

export function listen(): Promise<HttpServer> {
  return serveExpress();
}
