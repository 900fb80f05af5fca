import { ExpressAdapter } from '@nestjs/platform-express';
import { nestAdapter } from './nest.js';

export const nestOnExpress = nestAdapter('Nest on Express', (behindProxy) => {
  const platform = new ExpressAdapter();
  platform.set('trust proxy', behindProxy ? 'loopback' : false);
  return platform;
});
