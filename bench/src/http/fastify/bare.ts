import type { HttpServer } from '../http-contestant.js';
import { serveFastify } from './app.js';

export function listen(): Promise<HttpServer> {
  return serveFastify();
}
