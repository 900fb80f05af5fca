// @ts-nocheck The built packages that it measures have no types here.
// The service and a bare server of gRPC, in a process of their own: `node servers.mjs FILE REDIS SECRET`.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { createGate } from '../../../packages/http/dist/esm/index.js';
import { openPolicies } from '../../../packages/policies/dist/esm/index.js';
import { serve } from '../../../packages/server/dist/esm/index.js';
import { redisStore } from '../../../packages/redis/dist/esm/index.js';

const require = createRequire(new URL('../../../test/package.json', import.meta.url));
const { Server, ServerCredentials } = require('@grpc/grpc-js');

const [file, url, secret] = process.argv.slice(2);
const store = redisStore({ url }, { deadline: '5s' });
const server = await serve({ file, secret, store, fleet: false, listen: { http: 0, grpc: 0, operations: false } });
// The middleware on a server of HTTP, as programs in other languages could ask it.
const policies = await openPolicies(file, { secret });
const own = redisStore({ url }, { deadline: '5s' });
const gate = createGate({ limiter: policies.limiter('api', { store: own, secret }) });
const answer = async (request, response) => {
  request.ip = request.headers['x-ip'];
  const admission = await gate.admit(request, response);
  response.statusCode = admission.state === 'admitted' ? 200 : 429;
  response.end('ok');
};
const http = createServer((request, response) => void answer(request, response));
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
const same = (bytes) => bytes;
const bare = new Server();
const method = { path: '/bare/Echo', requestStream: false, responseStream: false };
const definition = {
  Echo: {
    ...method,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  },
};
bare.addService(definition, { Echo: ({ request }, callback) => callback(null, request) });
bare.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, port) => {
  process.send({ ...server.ports, bare: port, middleware: http.address().port });
});
process.on('message', () => process.send({ heap: (globalThis.gc?.(), process.memoryUsage().heapUsed) }));
process.on('disconnect', () => process.exit());
