import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** A response of Node without a connection. It finishes when a test emits `finish`. */
export function nodeResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}
