const express = require('express');
const { RateLimiterMemory } = require('rate-limiter-flexible');

const tries = new RateLimiterMemory({ keyPrefix: 'login', points: 2, duration: 900 });

const app = express();
app.post('/login', async (request, response) => {
  const user = request.get('x-user');
  try {
    await tries.consume(user);
  } catch {
    return response.status(429).end();
  }
  if (request.get('x-password') !== 'right') return response.status(401).end();
  await tries.delete(user);
  return response.end();
});
app.listen(3000);
