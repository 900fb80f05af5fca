import { Server } from 'node:net';
import { pathToFileURL } from 'node:url';

// Runs a program that listens on a port of its own choice, on a free one instead, and sends that port.
// oxlint-disable-next-line typescript/unbound-method -- it is called on a server
const { listen } = Server.prototype;

/** @this {Server} @param {...unknown} given */
Server.prototype.listen = function listenOnFreePort(...given) {
  const callback = /** @type {(() => void) | undefined} */ (given.find((each) => typeof each === 'function'));
  this.once('listening', () => process.send?.(/** @type {import('node:net').AddressInfo} */ (this.address()).port));
  return Reflect.apply(listen, this, [{ port: 0, host: '127.0.0.1' }, callback]);
};
process.env['REDIS_URL'] = process.argv[3];
if (process.argv[4]) process.env['APP'] = process.argv[4];
process.on('disconnect', () => process.exit());
await import(pathToFileURL(process.argv[2] ?? '').href);
