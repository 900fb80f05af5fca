import { printLimited } from './nestjs.app.mjs';
import { store } from './store.mjs';

await printLimited({ store, name: 'nestjs', limit: 2, window: '1h' });
await store.close();
