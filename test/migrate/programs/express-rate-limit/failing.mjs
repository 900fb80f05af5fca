import express from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const MESSAGES = { slow: { error: 'slow down' } };

const limitOf = (max, message) => rateLimit({ windowMs: 60_000, max, message });

const app = express();
app.set('trust proxy', 1);
app.get('/next', rateLimit({ max: 1, handler: (_request, _response, next) => next(new HttpError(429, 'later')) }));
app.get(
  '/throw',
  rateLimit({
    max: 1,
    handler: () => {
      throw new HttpError(429, 'never');
    },
  }),
);
app.get('/message', limitOf(1, MESSAGES.slow));
app.get(
  '/user',
  rateLimit({
    max: 1,
    message: 'yours',
    keyGenerator: (request) => {
      if (request.query.user) return request.query.user;
      return ipKeyGenerator(request.ip);
    },
  }),
);
app.use((_request, response) => response.send('ok'));
app.use((error, _request, response, _next) => response.status(error.status ?? 500).json({ failed: error.message }));
app.listen(3000);
