import express from 'express';
import { rateLimit } from 'express-rate-limit';

const app = express();
app.use('/failed', rateLimit({ limit: 2, skipFailedRequests: true }));
app.use(
  '/own',
  rateLimit({
    limit: 2,
    skipFailedRequests: true,
    requestWasSuccessful: (request, response) => response.statusCode !== 404,
  }),
);
app.use('/successful', rateLimit({ limit: 2, skipSuccessfulRequests: true }));
app.use((request, response) => response.status(Number(request.query.status)).end());
app.listen(3000);
