const express = require('express');
const rateLimit = require('express-rate-limit');

const config = { rateLimit: { windowMs: 60_000, limit: 3 }, login: { rateLimit: { windowMs: 60_000, max: 1 } } };

const app = express();
app.use(
  '/api/',
  rateLimit({
    windowMs: config.rateLimit.windowMs,
    limit: config.rateLimit.limit,
    standardHeaders: true,
    legacyHeaders: false,
    message: { success: false, error: { code: 'RATE_LIMITED', message: 'Too many requests' } },
  }),
);
app.post(
  '/login',
  rateLimit({
    windowMs: config.login.rateLimit.windowMs,
    max: config.login.rateLimit.max,
    handler: (req, res, _next, options) => {
      const seconds = Math.ceil((req.rateLimit.resetTime - Date.now()) / 1000);
      res.status(seconds > 0 && seconds <= 60 ? options.statusCode : 500).json({ error: options.message, seconds });
    },
  }),
  (req, res) => res.json({ resetAt: req.rateLimit.resetTime.toISOString() }),
);
app.get('/api/items', (_req, res) => res.json([]));
app.listen(3000);
