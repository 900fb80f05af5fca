import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/root.mjs';
import { runTool } from '../../../scripts/run.mjs';

const EXPRESS = (setting: string) =>
  `const server = express(); server.set('trust proxy', ${setting}); const adapter = new ExpressAdapter(server);`;
const FASTIFY = (setting: string) => `const adapter = new FastifyAdapter({ trustProxy: ${setting} });`;

describe('RateLimitModule', () => {
  beforeAll(async () => {
    if ((await runTool('tsc', ['--build', 'packages/nestjs/tsconfig.esm.json'])) !== 0) throw new Error('build failed');
  });

  /** Runs a process that answers so many forwarded requests, and resolves with the codes of its warnings. */
  async function warningsOf(adapter: string, requests: number): Promise<string[]> {
    const program = `
      import { Controller, Get, Module } from '@nestjs/common';
      import { APP_GUARD, NestFactory } from '@nestjs/core';
      import { ExpressAdapter } from '@nestjs/platform-express';
      import { FastifyAdapter } from '@nestjs/platform-fastify';
      import { RateLimitGuard, RateLimitModule } from '@sluice/nestjs';
      import express from 'express';

      const codes = [];
      process.on('warning', ({ name, code }) => name === 'SluiceWarning' && codes.push(code));
      class Home { home() { return 'home'; } }
      Controller()(Home);
      Get()(Home.prototype, 'home', Object.getOwnPropertyDescriptor(Home.prototype, 'home'));
      class App {}
      Module({
        imports: [RateLimitModule.forRoot({ limit: 5, window: '1h' })],
        controllers: [Home],
        providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }],
      })(App);
      ${adapter}
      const app = await NestFactory.create(App, adapter, { logger: false });
      await app.listen(0, '127.0.0.1');
      for (let request = 1; request <= ${requests}; request += 1) {
        await fetch(await app.getUrl(), { headers: { 'x-forwarded-for': '203.0.113.7' } });
      }
      await app.close();
      console.log(JSON.stringify(codes));
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', program],
      { cwd: join(root, 'test'), timeout: 20_000 },
    );
    return JSON.parse(stdout) as string[];
  }

  it.each<[string, string, string[], string[]]>([
    ['Express trusts all proxies', EXPRESS('true'), ['SLUICE_TRUST_PROXY_TRUE'], ['SLUICE_TRUST_PROXY_TRUE']],
    ['Express trusts no proxy', EXPRESS('false'), [], ['SLUICE_FORWARDED_UNTRUSTED']],
    ['Express trusts one proxy', EXPRESS('1'), [], []],
    ['Fastify trusts all proxies', FASTIFY('true'), ['SLUICE_TRUST_PROXY_TRUE'], ['SLUICE_TRUST_PROXY_TRUE']],
    ['Fastify trusts no proxy', FASTIFY('false'), [], ['SLUICE_FORWARDED_UNTRUSTED']],
    ['Fastify ignores a number', FASTIFY('1'), ['SLUICE_TRUST_PROXY_IGNORED'], ['SLUICE_TRUST_PROXY_IGNORED']],
    ['Fastify trusts an address', FASTIFY("'127.0.0.1'"), [], []],
  ])('warns at the start, and once for forwarded requests, if %s', async (_what, adapter, atStart, inAll) => {
    expect(await Promise.all([warningsOf(adapter, 0), warningsOf(adapter, 2)])).toEqual([atStart, inAll]);
  });
});
