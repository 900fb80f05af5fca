import { createRequire } from 'node:module';
import { createLimiter } from '@sluice/core';
import { storeSuite } from '@sluice/testing';

const require = createRequire(import.meta.url);

console.log(
  JSON.stringify({
    main: createLimiter === require('@sluice/core').createLimiter,
    testing: storeSuite === require('@sluice/testing').storeSuite,
  }),
);
