import express from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';

const digits = (text) => String(text ?? '').replaceAll(/\D/g, '');

const app = express();
app.set('trust proxy', 'loopback');
app.post(
  '/login',
  rateLimit({
    windowMs: 15 * 60 * 1000,
    limit: 2,
    keyGenerator: (req) => `${ipKeyGenerator(req.ip)}:${digits(req.query.account) || 'none'}`,
  }),
  (_req, res) => res.status(401).end(),
);
app.listen(3000);
