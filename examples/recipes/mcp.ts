// MCP: a limit for each tool in a session, and one for each tool of a caller over all its sessions.
//
// - An agent reads the answer of a denied tool: a text with the seconds to wait, and `isError`. A JSON-RPC error instead
//   would reach the program of the agent, and often not the model.
// - A client begins a new session whenever it likes. So the limit of sessions alone would hold nothing back.
// - `authInfo` is set by `requireBearerAuth` of the SDK. Your verifier of tokens returns `extra: { sub }` with the account.
//   `clientId` is a program: its users would share one budget, and a program can register again for a new one.
// - Callers without an account share one budget. Over stdio there is one caller. A server without sessions limits callers.
// - `tools/list` and `initialize` run no tool: put `rateLimit` of @sluice/express in front of the route, by address.

import { createLimiter } from '@sluice/core';
import { McpServer, type ToolCallback } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
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

type Extra = Parameters<ToolCallback>[0];
type Run = (...input: readonly unknown[]) => CallToolResult | Promise<CallToolResult>;

/** Limits a tool. Copy it: it needs the limiter above, and nothing else. */
export function limitTool<Shape extends z.ZodRawShape | undefined = undefined>(
  tool: string,
  run: ToolCallback<Shape>,
): ToolCallback<Shape> {
  // A tool without input gets `extra` alone.
  const limited: Run = async (...input) => {
    const { sessionId, authInfo } = input.at(-1) as Extra;
    const sub = authInfo?.extra?.['sub'];
    const caller = typeof sub === 'string' ? sub : 'anonymous';
    const { allowed, retryAfter } = await limiter.consume({ tool, session: sessionId ?? caller, caller });
    if (allowed) return (run as Run)(...input);
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
