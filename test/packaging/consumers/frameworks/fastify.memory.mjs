import { rateLimit } from '@sluice/fastify';
import { fastify } from 'fastify';
import { printAnswersOf } from './answers.mjs';

const app = fastify();
await app.register(rateLimit, { limit: 2, window: '1h' });
app.get('/', () => 'hello');

await app.listen({ port: 0, host: '127.0.0.1' });
await printAnswersOf(app.server);
