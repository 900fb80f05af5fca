import type { ServerResponse } from 'node:http';
/** Open pages. All get the same texts, which are made once. */
export declare class EventStreams {
    #private;
    /** @param onChange called with the number of open pages when it changes */
    constructor(onChange: (size: number) => void);
    /** @throws HttpFailure 503 while as many are open as may be */
    open(response: ServerResponse): void;
    /** @param id of the event, for a page that connects again */
    send(name: string, data: object, id?: number): void;
    close(): void;
}
