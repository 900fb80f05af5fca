import type { ServerResponse } from 'node:http';
import { isNativeError } from 'node:util/types';
import { isSluiceError } from '@sluice/core';
import { show, warn } from '@sluice/http/adapter';
import { HttpFailure } from './http-failure.js';

export function send(response: ServerResponse, type: string, text: string): void {
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

export function sendJson(response: ServerResponse, data: object): void {
  send(response, 'application/json; charset=utf-8', JSON.stringify(data));
}

export function redirect(response: ServerResponse, status: 303 | 308, location: string): void {
  response.writeHead(status, { location }).end();
}

export function sendFailure(response: ServerResponse, error: unknown): void {
  // The rest of a response that has begun cannot come.
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  const { status, message } = failureOf(error);
  response.statusCode = status;
  sendJson(response, { error: message });
}

/** Of the answer that an error gets. */
export function statusOf(error: unknown): number {
  if (error instanceof HttpFailure) return error.status;
  if (!isSluiceError(error)) return 500;
  if (error.name === 'StoreError') return 503;
  return OTHER_ACT.test(error.message) ? 409 : 400;
}

/** The text of an error may say too much for a page, so it goes to the log. */
export function logFailure(error: unknown): void {
  // An object without a prototype has no text.
  const text = error instanceof Error || isNativeError(error) ? String(error) : show(error);
  warn('SLUICE_DASHBOARD_FAILED', `createDashboard: a request or an event of the page failed: ${text}`);
}

/** Of an id that names another act. */
const OTHER_ACT = /^\w+: (this id has |id names )/;

function failureOf(error: unknown): Pick<HttpFailure, 'status' | 'message'> {
  if (error instanceof HttpFailure) return error;
  if (!isSluiceError(error)) {
    logFailure(error);
    return new HttpFailure(500, 'the dashboard failed: the log of the process says why');
  }
  const { name, message } = error;
  const isMistake = name === 'ConfigError' && !OTHER_ACT.test(message);
  // A ConfigError repeats the kind, in which an identity may have been typed.
  return { status: statusOf(error), message: isMistake ? 'this is not the kind of an identity' : message };
}
