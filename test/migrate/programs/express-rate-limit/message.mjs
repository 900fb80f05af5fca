import express from 'express';
import rateLimit from 'express-rate-limit';

const app = express();
app.use('/text', rateLimit({ limit: 1, statusCode: 420, message: 'Enhance your calm.' }));
app.use('/json', rateLimit({ limit: 1, message: { error: 'too-many' } }));
app.use(
  '/function',
  rateLimit({ limit: 1, message: async (request, response) => `No more of ${request.originalUrl}.` }),
);
app.use((request, response) => response.send('ok'));
app.listen(3000);
