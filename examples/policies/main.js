// Two processes of one API, whose limits change while they run: docs/guide/policies.md.
import { fork } from 'node:child_process';

// PORT is the port of the first one; the second one has the next. With 0 both take free ones.
const port = Number(process.env['PORT'] || '3000');
const server = new URL('server.js', import.meta.url);
for (const own of port === 0 ? [0, 0] : [port, port + 1]) fork(server, [String(own)]);
