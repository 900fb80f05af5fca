import { Redis } from 'ioredis';

/** An ioredis client that knows how many commands it was given to send. */
export class CountingClient extends Redis {
  sent = 0;

  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    this.sent += 1;
    return super.sendCommand(...args);
  }
}
