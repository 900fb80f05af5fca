import { openAiBody, type Denied } from '@sluice/express';
import type { Request } from 'express';
import { limited, type Body } from './prompt.js';

/** Tokens of a prompt, and of its whole answer. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
}

/** What the proxy knows of an API that streams answers as server-sent events. */
export interface Dialect {
  readonly path: string;
  /** The body that the API gets, so that it reports the usage. */
  forwarded(body: Body): Body;
  /** The parts of an event that the model wrote: text, reasoning, calls of tools. */
  deltasOf(event: StreamEvent): readonly unknown[];
  usageOf(event: StreamEvent): Usage | undefined;
  /** What ends a stream whose budget is used up, as if the answer had its longest length. */
  ending(first: StreamEvent): string;
  /** The error of a denied request. */
  errorOf(denied: Denied<Request>): object;
}

interface AnthropicUsage {
  readonly input_tokens?: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}

/** An event of either stream. */
export interface StreamEvent {
  readonly type?: string;
  readonly choices?: readonly { readonly delta?: object }[];
  readonly delta?: object;
  readonly content_block?: object;
  readonly message?: { readonly usage: AnthropicUsage };
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly output_tokens?: number;
  } | null;
}

/** Members of a delta whose text is no token of an answer. */
const LABELS = new Set(['type', 'role', 'id', 'stop_reason', 'stop_sequence', 'signature']);

const openAi: Dialect = {
  path: '/v1/chat/completions',
  forwarded: (body) => ({ ...limited(body), stream_options: { ...body.stream_options, include_usage: true } }),
  deltasOf: ({ choices = [] }) => choices.map(({ delta }) => delta),
  usageOf: ({ usage }) =>
    (usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : undefined) as Usage,
  ending: (first) => {
    const choices = [{ index: 0, delta: {}, finish_reason: 'length' }];
    return `data: ${JSON.stringify({ ...first, choices })}\n\ndata: [DONE]\n\n`;
  },
  errorOf: openAiBody,
};

const ANTHROPIC_ERRORS = {
  403: 'permission_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

const anthropic: Dialect = {
  path: '/v1/messages',
  forwarded: limited,
  deltasOf: ({ delta, content_block: block }) => [delta, block],
  usageOf: ({ type, message, usage }) => {
    if (type === 'message_start') return { input: inputOf(message!.usage) };
    return type === 'message_delta' ? ({ output: usage?.output_tokens } as Usage) : undefined;
  },
  ending: () =>
    [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens', stop_sequence: null }, usage: { output_tokens: 0 } },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  errorOf: ({ problem: { status, detail } }) => ({
    type: 'error',
    error: { type: ANTHROPIC_ERRORS[status], message: detail },
  }),
};

export const dialects = [openAi, anthropic] as const;

/** All text in a delta, whatever the members are called: a new kind of answer is counted as well. */
export function textIn(delta: unknown): string {
  if (typeof delta === 'string') return delta;
  if (typeof delta !== 'object' || delta === null) return '';
  return Object.entries(delta)
    .map(([name, value]) => (LABELS.has(name) ? '' : textIn(value)))
    .join('');
}

/** Tokens of a prompt, also those that the API had in its cache. */
function inputOf(usage: AnthropicUsage): number {
  const { input_tokens = 0, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
}
