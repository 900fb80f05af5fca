import express from 'express';
import { rateLimit } from 'express-rate-limit';

const app = express();
app.use(
  rateLimit({
    limit: 1,
    message: 'Come back later.',
    handler: (request, response, next, options) => response.status(options.statusCode).send(options.message),
  }),
);
app.get('/', (request, response) => response.send('ok'));
app.listen(3000);
