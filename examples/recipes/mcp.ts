// MCP: a limit for each tool in a session, and one for each tool of a caller over all its sessions.
//
// - An agent reads the answer of a denied tool: a text with the seconds to wait, and `isError`. A JSON-RPC error instead
//   would reach the program of the agent, and often not the model.
// - A client begins a new session whenever it likes. So the limit of sessions alone would hold nothing back.
// - `authInfo` is set by `requireBearerAuth` of the SDK, after your verifier has accepted the token. Over stdio there is
//   one caller.
// - `tools/list` and `initialize` run no tool: put `rateLimit` of @sluice/express in front of the route, by address.

import { createLimiter } from '@sluice/core';
import { McpServer, type ToolCallback } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

interface ToolCall {
  readonly tool: string;
  readonly session: string;
  readonly caller: string;
}

export const limiter = createLimiter<ToolCall>({
  tiers: [
    {
      name: 'tool-session',
      key: ({ tool, session }) => ({ kind: 'tool-session', parts: [tool, session] }),
      limit: 3,
      window: '1m',
    },
    {
      name: 'tool-caller',
      key: ({ tool, caller }) => ({ kind: 'tool-caller', parts: [tool, caller] }),
      limit: 5,
      window: '1h',
    },
  ],
});

/** Limits a tool. Copy it: it needs the limiter above, and nothing else. */
export function limitTool<Shape extends z.ZodRawShape>(tool: string, run: ToolCallback<Shape>): ToolCallback<Shape> {
  const limited: ToolCallback<z.ZodRawShape> = async (input, extra) => {
    const { sessionId: session = 'stdio', authInfo } = extra;
    const { allowed, retryAfter } = await limiter.consume({ tool, session, caller: authInfo?.clientId ?? 'anonymous' });
    if (allowed) return (run as ToolCallback<z.ZodRawShape>)(input, extra);
    const seconds = Math.ceil(retryAfter / 1_000);
    const text = `The tool "${tool}" has reached its rate limit. Wait ${seconds} seconds before you call it again.`;
    return { isError: true, content: [{ type: 'text', text }], _meta: { retryAfter: seconds } };
  };
  return limited as ToolCallback<Shape>;
}

/** One for each session. */
export function createServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  server.registerTool(
    'forecast',
    { description: 'The weather of tomorrow', inputSchema: { city: z.string() } },
    limitTool('forecast', ({ city }) => ({ content: [{ type: 'text', text: `${city}: sunny` }] })),
  );
  return server;
}
