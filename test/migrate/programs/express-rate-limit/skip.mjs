import express from 'express';
import { rateLimit } from 'express-rate-limit';

const trusted = ['internal'];
const app = express();
app.use(rateLimit({ limit: 1, skip: (request, response) => trusted.includes(request.get('x-caller')) }));
app.get('/', (request, response) => response.send('ok'));
app.listen(3000);
