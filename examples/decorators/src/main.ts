import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Notes } from './notes.js';
import { store } from './store.js';

const notes = new Notes();
const app = express();
// The rule does not know that @limited binds methods to their object.
/* oxlint-disable typescript/unbound-method */
app.get('/notes', notes.list);
app.post('/notes', express.json({ limit: '1kb' }), notes.add);
/* oxlint-enable typescript/unbound-method */

const server = app.listen(Number(process.env['PORT'] || '3000'));
await once(server, 'listening');
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(() => void store.close()));

const { port } = server.address() as AddressInfo;
console.log(`\
Listening on http://localhost:${port}. Limits: 5 new notes and 100 reads a minute.
  curl -i localhost:${port}/notes -H 'content-type: application/json' -d '{"note":"Buy tea"}'; echo
  curl -i localhost:${port}/notes; echo
Stop it with Ctrl-C.`);
