import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address, Transport } from './terms.js';

/** A client's connection, which has one request at a time. A client that measures has no time for an agent of Node. */
export class Connection {
  readonly #socket: Socket;
  #received = '';
  #answer: ((status: number) => void) | undefined;
  #isOpen = true;

  constructor(address: Address, transport: Transport) {
    const to = 'port' in address ? { ...address, host: '127.0.0.1' } : address;
    this.#socket = transport === 'tls' ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
    this.#socket.setEncoding('latin1');
    this.#socket.setNoDelay();
    this.#socket.on('data', (text: string) => this.#read(text));
    // The end of the connection is the end of a request without an answer.
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#finish(0));
  }

  /** False when either side has closed it. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @param head of the request. @returns the status, or 0 without an answer */
  ask(head: string): Promise<number> {
    this.#received = '';
    return new Promise((resolve) => {
      this.#answer = resolve;
      if (this.#isOpen) this.#socket.write(head);
      else resolve(0);
    });
  }

  /** The client gives up, or has what it wants. */
  close(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n') + 4;
    if (end < 4) return;
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(this.#received) ?? [];
    const isWhole =
      length === undefined ? this.#received.endsWith('0\r\n\r\n') : this.#received.length >= end + Number(length);
    if (isWhole) this.#finish(Number(this.#received.slice(9, 12)));
  }

  #finish(status: number): void {
    if (status === 0) this.#isOpen = false;
    this.#answer?.(status);
    this.#answer = undefined;
  }
}
