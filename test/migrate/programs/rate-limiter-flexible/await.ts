import { createServer } from 'node:http';
import { RateLimiterMemory } from 'rate-limiter-flexible';

const opts = { points: 2, duration: 60 * 60 };
const limiter = new RateLimiterMemory(opts);

createServer(async (request, response) => {
  try {
    const { remainingPoints } = await limiter.consume(String(request.headers['x-user'] ?? 'none'));
    response.setHeader('X-RateLimit-Remaining', remainingPoints);
    response.end('ok');
  } catch (error) {
    if (error instanceof Error) throw error;
    response.statusCode = 429;
    response.setHeader('Retry-After', '60');
    response.end();
  }
}).listen(3000);
