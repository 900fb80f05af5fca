process.env.RATE_LIMIT_MAX = '2';
const express = require('express');
const rateLimit = require('express-rate-limit');

const MESSAGES = { limited: { error: 'Too many requests' } };

const app = express();
app.get(
  '/all',
  rateLimit({
    windowMs: 15 * 60 * 1000, // 15 minutes
    max: process.env.RATE_LIMIT_MAX || 100,
    message: MESSAGES.limited,
  }),
  (_req, res) => res.send('all'),
);
app.get('/some', rateLimit({ windowMs: 60_000, max: process.env.RATE_LIMIT_MAX }), (_req, res) => res.send('some'));
app.listen(3000);
