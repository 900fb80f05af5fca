import express from 'express';
import { rateLimit } from 'express-rate-limit';

const app = express();
app.set('trust proxy', 'loopback');
app.use(
  rateLimit({
    limit: 2,
    validate: false,
    keyGenerator: (req) => {
      const forwarded = req.headers['x-forwarded-for'];
      return forwarded ? forwarded.split(',')[0].trim() : req.ip;
    },
  }),
);
app.use((request, response) => response.send('ok'));
app.listen(3000);
