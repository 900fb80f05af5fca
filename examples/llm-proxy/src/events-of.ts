import type { StreamEvent } from './dialect.js';

/** An event as it was received. */
export interface ReceivedEvent {
  /** With the empty line that ends it. */
  readonly text: string;
  /** Undefined for an event without JSON, such as `[DONE]`. */
  readonly data: StreamEvent | undefined;
}

/** An empty line, which ends an event. APIs end lines by LF or by CR LF. */
const AFTER_EVENT = /(?<=\n\n|\r\n\r\n)/;
const ENDED = /(?:\n\n|\r\n\r\n)$/;

/** The server-sent events of a body. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const texts = (rest + decoder.decode(bytes, { stream: true })).split(AFTER_EVENT);
    rest = ENDED.test(texts.at(-1)!) ? '' : texts.pop()!;
    for (const text of texts) yield { text, data: dataOf(text) };
  }
  if (rest !== '') yield { text: rest, data: dataOf(rest) };
}

function dataOf(text: string): StreamEvent | undefined {
  const data = /^data: ?(\{.*\})$/m.exec(text)?.[1];
  return data === undefined ? undefined : (JSON.parse(data) as StreamEvent);
}
