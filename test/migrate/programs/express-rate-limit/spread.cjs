const express = require('express');
const { rateLimit } = require('express-rate-limit');

const defaults = { windowMs: 60_000, limit: 3, standardHeaders: true, legacyHeaders: false };

const app = express();
app.get('/inherited', rateLimit({ ...defaults, message: { error: 'slow' } }), (_req, res) => res.send('inherited'));
app.get(
  '/own',
  rateLimit({
    ...defaults,
    limit: 1, // of its own
  }),
  (_req, res) => res.send('own'),
);
app.get('/overridden', rateLimit({ limit: 1, ...defaults }), (_req, res) => res.send('overridden'));
app.listen(3000);
