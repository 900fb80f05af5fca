import { rateLimit } from '@sluice/hono';
import { Hono } from 'hono';
import { printAnswers } from './answers.mjs';
import { store } from './store.mjs';

const app = new Hono();
app.use(rateLimit({ store, name: 'hono', limit: 2, window: '1h', ip: () => '203.0.113.7' }));
app.get('/', (c) => c.text('hello'));

await printAnswers(() => app.request('/'));
await store.close();
