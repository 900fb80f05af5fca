const express = require('express');
const { RateLimiterMemory } = require('rate-limiter-flexible');

const rateLimiter = new RateLimiterMemory({
  points: 4, // points
  duration: 60, // seconds
});

const rateLimiterMiddleware = (request, response, next) => {
  rateLimiter
    .consume(request.ip, 2)
    .then(() => {
      next();
    })
    .catch((rejected) => {
      response.set('Retry-After', Math.ceil(rejected.msBeforeNext / 1000));
      response.status(429).send('Too Many Requests');
    });
};

const app = express();
app.use(rateLimiterMiddleware);
app.get('/', (request, response) => response.send('ok'));
app.listen(3000);
