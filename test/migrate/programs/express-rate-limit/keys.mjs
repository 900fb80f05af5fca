import express from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';

const app = express();
app.use('/query', rateLimit({ limit: 1, keyGenerator: (request, response) => request.query.key }));
app.use('/header', rateLimit({ limit: 1, keyGenerator: (request) => request.get('X-Api-Key') ?? 'none' }));
app.use('/address', rateLimit({ limit: 1, keyGenerator: (request) => ipKeyGenerator(request.ip) }));
app.use(
  '/either',
  rateLimit({ limit: 1, keyGenerator: (request) => request.query.user ?? ipKeyGenerator(request.ip) }),
);
app.use((request, response) => response.send('ok'));
app.listen(3000);
