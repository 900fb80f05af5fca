// Two processes of one API, whose limits change while they run: docs/guide/policies.md.
import { fork } from 'node:child_process';

const server = new URL('server.js', import.meta.url);
for (const port of ['3000', '3001']) fork(server, [port]);
