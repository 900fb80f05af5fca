const express = require('express');
const rateLimit = require('express-rate-limit');

const app = express();
const apiLimiter = rateLimit({ windowMs: 60 * 60 * 1000, max: 2 });
const accountLimiter = rateLimit({
  windowMs: 60 * 60 * 1000,
  max: 1,
  message: 'Too many accounts from this address.',
});

app.use('/api', apiLimiter);
app.post('/accounts', accountLimiter, (request, response) => response.status(201).end());
app.get('/api/items', (request, response) => response.json([]));
app.listen(3000);
