import { once } from 'node:events';
import { rateLimit } from '@sluice/express';
import express from 'express';
import { cost, limiter, serving } from './process.mjs';

/** @import { AddressInfo } from 'node:net' */

const app = express();
app.get('/', rateLimit({ limiter, cost }), (_request, response) => void response.json({}));

// On all addresses, where one of version 4 is written as one of version 6.
const server = app.listen(0);
await once(server, 'listening');
serving(/** @type {AddressInfo} */ (server.address()).port);
