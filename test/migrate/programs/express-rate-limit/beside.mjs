import express from 'express';
import { MemoryStore, rateLimit } from 'express-rate-limit';

class OwnStore extends MemoryStore {}

const app = express();
app.use(rateLimit({ windowMs: 60_000, max: 20 }));
app.use('/api', rateLimit({ windowMs: 60_000, max: 2 }));
app.use('/login', rateLimit({ windowMs: 60_000, max: 3, store: new OwnStore() }));
app.use((request, response) => response.send('ok'));
app.listen(3000);
