import type { HttpServer } from '../http-contestant.js';
import { serveHono } from './app.js';

export function listen(): Promise<HttpServer> {
  return serveHono();
}
