import { once } from 'node:events';
import { rateLimit } from '@sluice/express';
import express from 'express';
import { printAnswersOf } from './answers.mjs';
import { store } from './store.mjs';

const app = express();
app.use(rateLimit({ store, name: 'express', limit: 2, window: '1h' }));
app.get('/', (_request, response) => void response.send('hello'));

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
await printAnswersOf(server);
await store.close();
