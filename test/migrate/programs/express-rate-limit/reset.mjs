import express from 'express';
import { rateLimit } from 'express-rate-limit';

const app = express();
const limiter = rateLimit({ limit: 1 });
app.post('/reset', (request, response) => {
  limiter.resetKey(request.ip);
  response.end();
});
app.use(limiter);
app.get('/', (request, response) => response.send(`${request.rateLimit.used}`));
app.listen(3000);
