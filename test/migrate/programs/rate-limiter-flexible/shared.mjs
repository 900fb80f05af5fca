import express from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const options = { points: 2, duration: 60 };

class Gate {
  limiter = new RateLimiterMemory(options);

  async enter(request, response, next) {
    try {
      const { remainingPoints } = await this.limiter.consume(request.ip);
      response.set('x-left', String(remainingPoints));
      next();
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) return next(error);
      response.set('Retry-After', String(Math.ceil(error.msBeforeNext / 1000)));
      response.status(429).json({ limit: options.points });
    }
  }
}

export const logins = new RateLimiterMemory({ points: 1, duration: 60, blockDuration: 300 });

const gate = new Gate();
const app = express();
app.get('/gate', (request, response, next) => gate.enter(request, response, next));
app.get('/login', async (request, response, next) => {
  const known = await logins.get(request.ip);
  response.set('x-known', String(known !== null));
  await logins.consume(request.ip).then(
    () => next(),
    ({ msBeforeNext }) => response.set('Retry-After', String(Math.ceil(msBeforeNext / 1000))).sendStatus(429),
  );
});
app.get('/forget', async (request, response) => response.send(String(await logins.delete(request.ip))));
app.use((_request, response) => response.send('ok'));
app.listen(3000);
