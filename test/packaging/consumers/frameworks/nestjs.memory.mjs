import { printLimited } from './nestjs.app.mjs';

await printLimited({ limit: 2, window: '1h' });
