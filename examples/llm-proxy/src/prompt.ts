/** A request of either API. Clients can send anything, so that nothing is sure. */
export interface Body {
  readonly model?: unknown;
  readonly stream?: unknown;
  readonly stream_options?: object;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  /** Answers of OpenAI to one prompt. */
  readonly n?: number;
  /** How Anthropic's model thinks, before it answers. */
  readonly thinking?: unknown;
}

/** Tokens of the longest answer that the proxy requests. */
export const MAX_ANSWER = 4_096;

const MAX_CHOICES = 8;
const INTEGERS = { max_tokens: Infinity, max_completion_tokens: Infinity, n: MAX_CHOICES } as const;

/** About four bytes make a token. The usage that the API reports corrects it. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** What a body has that can become a part of the prompt: messages, instructions, tools. */
export function promptOf({ model: _model, stream_options: _options, ...body }: Body): string {
  const parts = Object.values(body).map((part) => (typeof part === 'object' ? JSON.stringify(part) : part));
  return parts.filter((part) => typeof part === 'string').join('');
}

/** Tokens of the longest answer that a client requests. Clients that send both limits mean the larger one. */
export function longestAnswer({ max_tokens, max_completion_tokens, n = 1 }: Body): number {
  const requested = Math.max(max_tokens ?? 0, max_completion_tokens ?? 0) || MAX_ANSWER;
  return Math.min(requested, MAX_ANSWER) * n;
}

/** The body with limits of its answer that the proxy can count on. */
export function limited(body: Body): Body {
  const { max_tokens, max_completion_tokens } = body;
  if (max_tokens === undefined && max_completion_tokens === undefined)
    return { ...body, max_completion_tokens: MAX_ANSWER };
  return {
    ...body,
    ...(max_tokens !== undefined && { max_tokens: Math.min(max_tokens, MAX_ANSWER) }),
    ...(max_completion_tokens !== undefined && { max_completion_tokens: Math.min(max_completion_tokens, MAX_ANSWER) }),
  };
}

/**
 * Whether the usage can have more tokens than the events: models of OpenAI that reason take no `max_tokens` alone, and
 * Anthropic streams a summary of what its model thinks.
 */
export function mayHideReasoning({ max_tokens, max_completion_tokens, thinking }: Body): boolean {
  return thinking !== undefined || max_tokens === undefined || max_completion_tokens !== undefined;
}

/** What is wrong with a body; undefined for one that the proxy can count. */
export function problemOf(body: Body | undefined): string | undefined {
  if (body?.stream !== true) return 'This proxy streams: set stream to true.';
  for (const [name, max] of Object.entries(INTEGERS)) {
    const value = body[name as keyof typeof INTEGERS];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1 && value <= max)) continue;
    return `${name} must be an integer from 1${max === Infinity ? '' : ` to ${max}`}.`;
  }
  return undefined;
}
