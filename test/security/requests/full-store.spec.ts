import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

import { loginTiers, memoryStore, rateLimit, signedIn } from '@sluice/express';
import express, { type Request } from 'express';

/** A sign-in as docs/guide/login.md writes it, behind a proxy, with a small store. */
async function site() {
  const app = express().set('trust proxy', true);
  const login = rateLimit({
    store: memoryStore({ maxKeys: 1_000 }),
    tiers: loginTiers<Request>({ account: ({ body }) => body?.user }),
  });
  app.post('/login', express.json(), login, async ({ body, rateLimit: decision }, response) => {
    const isRight = body.password === 'lovelace';
    if (isRight) await signedIn(decision);
    response.sendStatus(isRight ? 200 : 401);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const attempt = async (user: string, address: string, password = 'guess'): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const sent = send({ port, path: '/login', method: 'POST', headers }).end(JSON.stringify({ user, password }));
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  };
  return { attempt, close: () => server.close() };
}

const addressOf = (network: number, number: number) => `${network}.0.${number >> 8}.${number & 255}`;

describe('a flood of sign-ins', () => {
  it('denies no owner with the right password, and frees no account that is denied', async () => {
    const { attempt, close } = await site();
    // Eighty first tries pass, and each of them is forgiven by nothing.
    const first: number[] = [];
    for (let guess = 0; guess < 80; guess += 1) first.push(await attempt('ada', addressOf(11, guess)));
    expect(first).toEqual(first.map(() => 401));
    const guesses: number[] = [];

    for (let number = 0; number < 630; number += 1) {
      await attempt(`stranger ${number}`, addressOf(10, number));
      if (number % 53 === 0) guesses.push(await attempt('ada', addressOf(12, number)));
    }
    const owners: number[] = [];
    for (let number = 0; number < 50; number += 1) {
      owners.push(await attempt(`owner ${number}`, addressOf(20, number), 'lovelace'));
    }

    expect(owners).toEqual(owners.map(() => 200));
    expect(guesses).toEqual(Array(12).fill(429));
    close();
  });
});
