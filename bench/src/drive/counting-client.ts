import { Redis } from 'ioredis';

/** An ioredis client that counts the commands it sends. */
export class CountingClient extends Redis {
  sent = 0;

  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    this.sent += 1;
    return super.sendCommand(...args);
  }
}
