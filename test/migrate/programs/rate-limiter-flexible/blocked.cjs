const express = require('express');
const { RateLimiterMemory } = require('rate-limiter-flexible');

const byAddress = new RateLimiterMemory({ points: 10, duration: 60, blockDuration: 60 * 15 });

const app = express();
app.post('/login', async (request, response) => {
  const known = await byAddress.get(request.ip);
  if (known !== null && known.consumedPoints > 10) return response.status(429).end();
  await byAddress.consume(request.ip);
  return response.status(401).end();
});
app.listen(3000);
