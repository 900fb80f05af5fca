import { statsOf, subscribe } from '@sluice/core';
/** Calls whose duration is known. */
const CALLS = 1_000;
const MINUTE = 60_000;
/** How well the store answers this process. */
export class StoreHealth {
    #store;
    #clock;
    #durations = new Float64Array(CALLS);
    #endedAt = new Float64Array(CALLS).fill(-Infinity);
    #calls = 0;
    #degraded = 0;
    #degradedSince;
    #fault;
    #subscriptions;
    /**
     * @param clock milliseconds since the start
     * @param onChange called when the store fails or answers again
     */
    constructor(store, clock, onChange) {
        this.#store = store;
        this.#clock = clock;
        this.#subscriptions = [
            subscribe('sluice:store-call', ({ duration, outcome, problem }) => {
                this.#durations[this.#calls % CALLS] = duration;
                this.#endedAt[this.#calls % CALLS] = clock();
                this.#calls += 1;
                if (outcome !== 'answered')
                    this.#fail(problem);
                else if (this.#degradedSince !== undefined) {
                    this.#degradedSince = undefined;
                    onChange();
                }
            }),
            subscribe('sluice:degraded', ({ message }) => {
                this.#degraded += 1;
                if (this.#degradedSince !== undefined)
                    return;
                this.#degradedSince = clock();
                this.#fail(message);
                onChange();
            }),
            subscribe('sluice:breaker', ({ problem }) => {
                this.#fail(problem);
                onChange();
            }),
            subscribe('sluice:config-fault', ({ problem }) => {
                this.#fail(problem);
                onChange();
            }),
        ];
    }
    get isDegraded() {
        return this.#degradedSince !== undefined;
    }
    read() {
        const now = this.#clock();
        const { keys, breakers, inFlight } = statsOf(this.#store);
        const calls = this.#recentCalls(now);
        return {
            store: breakers.length > 0 ? 'redis' : keys.some(({ part }) => part === 'memory') ? 'memory' : 'other',
            ...(calls.length > 0 && { calls: { count: calls.length, p50: at(calls, 0.5), p99: at(calls, 0.99) } }),
            breakers,
            keys,
            inFlight,
            ...(this.#degradedSince !== undefined && { degradedFor: Math.round(now - this.#degradedSince) }),
            degraded: this.#degraded,
            ...(this.#fault && { fault: { problem: this.#fault.problem, age: Math.round(now - this.#fault.at) } }),
        };
    }
    stop() {
        for (const end of this.#subscriptions)
            end();
    }
    #fail(problem) {
        if (problem !== undefined)
            this.#fault = { problem, at: this.#clock() };
    }
    /** In ascending order. */
    #recentCalls(now) {
        return this.#durations.filter((_, index) => now - this.#endedAt[index] < MINUTE).toSorted();
    }
}
function at(sorted, share) {
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
