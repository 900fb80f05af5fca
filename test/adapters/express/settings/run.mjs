// Runs settings in a process of their own, and prints the warnings that Node received: `run.mjs <settings> <express>`,
// where several settings are separated by commas.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { settings } from './settings.mjs';

const [, , names = '', framework = 'express'] = process.argv;
/** @type {{ name: string, code: string, message: string, detail: string }[]} */
const given = [];
process.on('warning', ({ name: type, message, ...rest }) => {
  const { code = '', detail = '' } = /** @type {{ code?: string, detail?: string }} */ (rest);
  given.push({ name: type, code, message, detail });
});

const { default: express } = /** @type {{ default: typeof import('express') }} */ (await import(framework));
for (const name of names.split(',')) {
  const setting = settings[name];
  if (setting === undefined) throw new Error(`there is no setting ${name}`);
  await visit(await setting(express));
}
// Node emits warnings at the end of a turn.
await new Promise(setImmediate);
console.log(JSON.stringify(given));

/** @param {import('./settings.mjs').Setting} setting */
async function visit({ app, requests, socketPath, close }) {
  const server = createServer(app);
  if (socketPath === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socketPath);
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (Object(server.address()));
  const place = socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath };
  // Each request twice: a warning appears once a process.
  for (const request of [...requests, ...requests]) {
    const [response] = await once(get({ ...place, agent: false, ...request }), 'response');
    await once(response.resume(), 'end');
  }
  server.close();
  await close?.();
}
