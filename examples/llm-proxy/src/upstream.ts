import { setTimeout as delay } from 'node:timers/promises';
import express, { type Express } from 'express';
import { dialects } from './dialect.js';
import { promptOf, tokensIn, type Body } from './prompt.js';

const WORD = 'word';

/** What an API sends, event by event. */
interface Format {
  start(input: number): string;
  word(): string;
  end(input: number, output: number): string;
}

/** Stands for the API of a model. It counts the words that it has sent. */
export interface Upstream {
  readonly app: Express;
  readonly sent: number;
}

/**
 * An API that answers in words of one token, as many as `max_tokens` says.
 *
 * @param pause milliseconds between two words
 */
export function createUpstream(pause = 0): Upstream {
  const app = express();
  const upstream = { app, sent: 0 };
  for (const dialect of dialects) {
    const format = formats[dialect.path]!;
    app.post(dialect.path, express.json(), async (request, response) => {
      const body = request.body as Body;
      const input = tokensIn(promptOf(body));
      const output = body.max_completion_tokens ?? body.max_tokens ?? 16;
      response.type('text/event-stream');
      response.write(format.start(input));
      for (let word = 0; word < output && !response.destroyed; word += 1) {
        if (pause > 0) await delay(pause);
        upstream.sent += 1;
        response.write(format.word());
      }
      response.end(format.end(input, output));
    });
  }
  return upstream;
}

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'fake' };

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function choice(delta: object, reason: string | null = null): string {
  return data({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: reason }] });
}

const openAi: Format = {
  start: () => choice({ role: 'assistant', content: '' }),
  word: () => choice({ content: WORD }),
  end: (input, output) => {
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    return `${choice({}, 'stop')}${data({ ...CHUNK, choices: [], usage })}data: [DONE]\n\n`;
  },
};

function event(value: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${value.type}\n${data(value)}`;
}

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [],
  model: 'fake',
  stop_reason: null,
  stop_sequence: null,
};

const anthropic: Format = {
  start: (input) => {
    const message = { ...MESSAGE, usage: { input_tokens: input, output_tokens: 0 } };
    const block = { type: 'text', text: '' };
    return (
      event({ type: 'message_start', message }) + event({ type: 'content_block_start', index: 0, content_block: block })
    );
  },
  word: () => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORD } }),
  end: (_input, output) =>
    event({ type: 'content_block_stop', index: 0 }) +
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: output },
    }) +
    event({ type: 'message_stop' }),
};

const formats: Readonly<Record<string, Format>> = { '/v1/chat/completions': openAi, '/v1/messages': anthropic };
