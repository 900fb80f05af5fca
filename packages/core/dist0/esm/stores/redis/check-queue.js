import { Later } from '../../model/later.js';
import { CheckCall } from './check-call.js';
import { hashTag } from './hash-tag.js';
/** Fewer checks than that are not sent before the end of a turn. */
const FEW = 4;
/**
 * Checks of one turn of the event loop travel together. A call leaves at once when nothing is in flight, so that a lone
 * check never waits; when it is full; when as many checks are under way as it holds, so that Redis and this process both
 * have something to do; and at the end of the turn. Measured in docs/decisions/0018-calls.md.
 */
export class CheckQueue {
    #link;
    #isCluster;
    #call;
    /** On a Cluster, where the keys of a call have to share a slot, one call by hash tag. */
    #calls = new Map();
    #scheduled = false;
    constructor(link, isCluster) {
        this.#link = link;
        this.#isCluster = isCluster;
    }
    /** @param group claims of one hash tag, where the client is one of a Cluster */
    ask(group, peek) {
        const answer = new Later();
        this.#add({ group, peek, answer }, this.#isCluster ? hashTag(group[0].key) : undefined);
        return answer;
    }
    /** Sends what waits for the end of the turn, so that what is sent next comes after it. */
    flush() {
        this.#send(undefined);
        if (this.#calls.size === 0)
            return;
        const calls = this.#calls;
        this.#calls = new Map();
        const now = performance.now();
        for (const call of calls.values())
            this.#link.send(call, now);
    }
    #add(check, tag) {
        // Who is told of a failure meanwhile may have asked for more.
        while (this.#waiting(tag)?.hasRoomFor(check.group) === false)
            this.#send(tag);
        let call = this.#waiting(tag);
        if (call === undefined) {
            call = new CheckCall(performance.now());
            if (tag === undefined)
                this.#call = call;
            else
                this.#calls.set(tag, call);
        }
        call.add(check);
        if (call.full || this.#link.isIdle || call.groups >= Math.max(FEW, this.#link.checks))
            this.#send(tag);
        else
            this.#schedule();
    }
    #waiting(tag) {
        return tag === undefined ? this.#call : this.#calls.get(tag);
    }
    /** Whoever is told of its failure may ask for more at once: it does not wait any longer by then. */
    #send(tag) {
        const call = this.#waiting(tag);
        if (call === undefined)
            return;
        if (tag === undefined)
            this.#call = undefined;
        else
            this.#calls.delete(tag);
        this.#link.send(call, performance.now());
    }
    #schedule() {
        if (this.#scheduled)
            return;
        this.#scheduled = true;
        // The end of the turn: replies and requests of several sockets have been read by then.
        setImmediate(() => {
            this.#scheduled = false;
            this.flush();
        });
    }
}
//# sourceMappingURL=check-queue.js.map