import { type Store } from '@sluice/core';
import type { Health } from './messages.js';
/** How well the store answers this process. */
export declare class StoreHealth {
    #private;
    /**
     * @param clock milliseconds since the start
     * @param onChange called when the store fails or answers again
     */
    constructor(store: Store, clock: () => number, onChange: () => void);
    get isDegraded(): boolean;
    read(): Health;
    stop(): void;
}
