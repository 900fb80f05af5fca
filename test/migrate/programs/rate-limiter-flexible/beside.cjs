const express = require('express');
const { RateLimiterMemory } = require('rate-limiter-flexible');

const api = new RateLimiterMemory({ points: 2, duration: 60 });
const login = new RateLimiterMemory({ points: 3, duration: 60, blockDuration: 30 });

const app = express();
const answer = (limiter) => (response) =>
  limiter.then(
    () => response.send('ok'),
    (rejected) => response.set('Retry-After', Math.ceil(rejected.msBeforeNext / 1000)).sendStatus(429),
  );
app.get('/api', (request, response) => answer(api.consume(request.ip))(response));
app.get('/login', (request, response) => answer(login.consume(request.ip))(response));
app.listen(3000);
