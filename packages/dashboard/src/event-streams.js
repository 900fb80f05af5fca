import { HttpFailure } from './http-failure.js';
/** Pages that one process serves at the same time. */
const MAX_STREAMS = 10;
/** A page that reads more slowly misses events: each tick has totals, so the next one puts it right. */
const MAX_UNSENT = 65_536;
/** Open pages. All get the same texts, which are made once. */
export class EventStreams {
    #responses = new Set();
    #onChange;
    /** @param onChange called with the number of open pages when it changes */
    constructor(onChange) {
        this.#onChange = onChange;
    }
    /** @throws HttpFailure 503 while as many are open as may be */
    open(response) {
        if (this.#responses.size >= MAX_STREAMS) {
            throw new HttpFailure(503, `${MAX_STREAMS} pages are open on this process: close one`);
        }
        response.writeHead(200, {
            'content-type': 'text/event-stream',
            'cache-control': 'no-cache, no-transform',
            'x-accel-buffering': 'no',
        });
        response.write('retry: 2000\n\n');
        this.#responses.add(response);
        this.#onChange(this.#responses.size);
        response.once('close', () => {
            this.#responses.delete(response);
            this.#onChange(this.#responses.size);
        });
    }
    /** @param id of the event, for a page that connects again */
    send(name, data, id) {
        if (this.#responses.size === 0)
            return;
        const text = `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
        for (const response of this.#responses)
            if (response.writableLength <= MAX_UNSENT)
                response.write(text);
    }
    close() {
        for (const response of this.#responses)
            response.end();
    }
}
