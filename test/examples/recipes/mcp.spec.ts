import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { createServer, limiter, limitTool } from '../../../examples/recipes/mcp.js';
import { siteOpener } from '../../support/site.js';

/** A server of MCP over HTTP, which accepts the tokens of two callers, also of several programs: `ada`, `ada-program`. */
function app(sessionIdGenerator?: () => string) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const verifyAccessToken = async (token: string) => {
    const [sub = '', clientId = 'agent'] = token.split('-');
    if (!['ada', 'bob'].includes(sub)) throw new InvalidTokenError('unknown');
    return { token, clientId, scopes: [], expiresAt: Date.now() / 1_000 + 60, extra: { sub } };
  };
  return express().use(
    express.json(),
    requireBearerAuth({ verifier: { verifyAccessToken } }),
    async (request, response) => {
      let transport = sessions.get(request.get('mcp-session-id') ?? '');
      if (!transport) {
        transport = new StreamableHTTPServerTransport({
          ...(sessionIdGenerator && { sessionIdGenerator }),
          onsessioninitialized: (id) => void sessions.set(id, transport!),
        });
        await createServer().connect(transport);
      }
      await transport.handleRequest(request, response, request.body);
    },
  );
}

describe('the recipe mcp', () => {
  const clients: Client[] = [];
  const openSite = siteOpener();

  const session = async (port: number, token: string, headers: Record<string, string> = {}) => {
    const client = new Client({ name: 'agent', version: '1' });
    const requestInit = { headers: { ...headers, authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}`), { requestInit }));
    clients.push(client);
    return client;
  };
  const call = (client: Client) => client.callTool({ name: 'forecast', arguments: { city: 'Berlin' } });

  beforeEach(async () => {
    for (const caller of ['ada', 'bob', 'anonymous']) {
      for (const tool of ['forecast', 'now']) await limiter.reset({ tool, session: caller, caller });
    }
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  it('answers a denied tool by a text that a model can read', async () => {
    const [client, server] = [new Client({ name: 'agent', version: '1' }), createServer()];
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([client.connect(near), server.connect(far)]);
    clients.push(client);

    for (let count = 0; count < 3; count += 1) expect((await call(client)).isError).toBeUndefined();
    const denied = await call(client);

    const { isError, content, _meta } = denied as { isError: boolean; content: { text: string }[]; _meta: unknown };
    expect(isError).toBe(true);
    expect(content[0]!.text).toMatch(
      /^The tool "forecast" has reached its rate limit\. Wait \d\d seconds before you call it again\.$/,
    );
    expect(_meta).toEqual({ retryAfter: Number(/\d+/.exec(content[0]!.text)![0]) });
  });

  it('admits three calls of a session and five of a caller that begins new sessions and calls at the same time', async () => {
    const { port } = await openSite(app(randomUUID));
    const admitted = [];
    for (let round = 0; round < 4; round += 1) {
      const client = await session(port, 'ada', { 'X-Forwarded-For': `203.0.113.${round}`, 'X-Client-Id': `${round}` });
      const answers = await Promise.all(Array.from({ length: 6 }, () => call(client)));
      admitted.push(answers.filter(({ isError }) => isError !== true).length);
    }

    expect(admitted).toEqual([3, 2, 0, 0]);
  });

  it('admits five calls of a caller that registers a new program for each session', async () => {
    const { port } = await openSite(app(randomUUID));
    const admitted = [];
    for (let round = 0; round < 3; round += 1) {
      const client = await session(port, `ada-program${round}`);
      const answers = await Promise.all(Array.from({ length: 4 }, () => call(client)));
      admitted.push(answers.filter(({ isError }) => isError !== true).length);
    }

    expect(admitted).toEqual([3, 2, 0]);
  });

  it('keeps a budget for each caller of a server without sessions', async () => {
    const { port } = await openSite(app());
    const [ada, bob] = [await session(port, 'ada'), await session(port, 'bob')];

    for (let count = 0; count < 4; count += 1) await call(ada);

    expect((await call(ada)).isError).toBe(true);
    expect((await call(bob)).isError).toBeUndefined();
  });

  it('limits a tool without input', async () => {
    const now = limitTool('now', ({ sessionId }) => ({ content: [{ type: 'text', text: `noon of ${sessionId}` }] }));
    const extra = { sessionId: 'one' } as Parameters<typeof now>[0];

    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await now(extra));

    expect(answers.map(({ isError }) => isError === true)).toEqual([false, false, false, true]);
    expect(answers[0]!.content).toEqual([{ type: 'text', text: 'noon of one' }]);
  });

  it('keeps a budget for each caller', async () => {
    const { port } = await openSite(app(randomUUID));
    const [ada, bob] = [await session(port, 'ada'), await session(port, 'bob')];

    for (let count = 0; count < 4; count += 1) await call(ada);

    expect((await call(ada)).isError).toBe(true);
    expect((await call(bob)).isError).toBeUndefined();
  });

  it('counts a call that another client sends with the id of the session by the caller of its token', async () => {
    const { port } = await openSite(app(randomUUID));
    const ada = await session(port, 'ada');
    const id = (ada.transport as StreamableHTTPClientTransport).sessionId!;
    for (let count = 0; count < 3; count += 1) await call(ada);

    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer bob',
        'mcp-session-id': id,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Bonn"}}}',
    });

    expect(await response.text()).toContain('has reached its rate limit');
  });
});
