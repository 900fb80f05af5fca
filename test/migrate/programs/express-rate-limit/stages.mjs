import express from 'express';
import { rateLimit } from 'express-rate-limit';

process.env.STAGE = 'load-test';
process.env.WINDOW = '60000';
const { MOST = '2' } = process.env;
const window = process.env.WINDOW || 1000;

const app = express();
app.use('/free', rateLimit({ windowMs: 60_000, limit: process.env.STAGE === 'load-test' ? Infinity : 1 }));
app.use('/strict', rateLimit({ windowMs: 60_000, limit: process.env.STAGE === 'production' ? Infinity : 1 }));
app.use('/window', rateLimit({ windowMs: process.env.WINDOW || 60000, max: MOST }));
app.use('/name', rateLimit({ windowMs: window, limit: process.env.NONE }));
app.use('/guests', rateLimit({ limit: (request) => (request.query.user ? Infinity : 1) }));
app.use((request, response) => response.send('ok'));
app.listen(3000);
