import { openAiBody, type Denied } from '@sluice/express';
import type { Request } from 'express';

/** Tokens of a prompt, and of its whole answer. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
}

/** What the proxy knows of an API that streams answers as server-sent events. */
export interface Dialect {
  readonly path: string;
  promptOf(body: Body): string;
  /** The longest answer that a client requests; 0 for the longest that there is. */
  maxTokensOf(body: Body): number;
  /** The body that the API gets, so that it reports the usage. */
  forwarded(body: Body): Body;
  /** The text of an event. */
  textOf(event: StreamEvent): string;
  usageOf(event: StreamEvent): Usage | undefined;
  /** What ends a stream whose budget is used up, as if the answer had its longest length. */
  ending(first: StreamEvent): string;
  /** The error of a denied request. */
  errorOf(denied: Denied<Request>): object;
}

/** A request of either API. Clients can send anything, so that nothing is sure. */
export interface Body {
  readonly messages?: readonly { readonly content?: unknown }[];
  readonly system?: unknown;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream?: boolean;
  readonly stream_options?: object;
}

/** An event of either stream. */
export interface StreamEvent {
  readonly type?: string;
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly delta?: { readonly text?: string };
  readonly message?: { readonly usage: { readonly input_tokens: number } };
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly output_tokens?: number;
  } | null;
}

const openAi: Dialect = {
  path: '/v1/chat/completions',
  promptOf: ({ messages }) => textOf(messages),
  // Clients that send both mean the larger one.
  maxTokensOf: ({ max_tokens = 0, max_completion_tokens = 0 }) => Math.max(max_tokens, max_completion_tokens),
  forwarded: (body) => ({ ...body, stream_options: { ...body.stream_options, include_usage: true } }),
  textOf: ({ choices }) => choices?.[0]?.delta?.content ?? '',
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
  promptOf: ({ system, messages }) => textOf(system) + textOf(messages),
  maxTokensOf: ({ max_tokens = 0 }) => max_tokens,
  forwarded: (body) => body,
  textOf: ({ delta }) => delta?.text ?? '',
  usageOf: ({ type, message, usage }) => {
    if (type === 'message_start') return { input: message!.usage.input_tokens };
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

/** About four letters make a token. The usage that the API reports corrects it. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

function textOf(part: unknown = ''): string {
  return typeof part === 'string' ? part : JSON.stringify(part);
}
