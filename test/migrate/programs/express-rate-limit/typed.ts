import express, { type Request, type Response } from 'express';
import { rateLimit, type RateLimitRequestHandler } from 'express-rate-limit';

function limiterOf(limit: number): RateLimitRequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit,
    standardHeaders: 'draft-7',
    legacyHeaders: false,
    keyGenerator: (request: Request): string => String(request.query['id']),
    validate: { ip: false },
  });
}

const app = express();
app.get('/one', limiterOf(1), (_request: Request, response: Response) => void response.send('ok'));
app.get('/two', limiterOf(2), (_request: Request, response: Response) => void response.send('ok'));
app.listen(3000);
