"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SlotCalls = void 0;
exports.mergeAnswers = mergeAnswers;
const index_js_1 = require("../../algorithms/index.js");
const groups_js_1 = require("./groups.js");
const question_js_1 = require("./question.js");
const hash_tag_js_1 = require("./hash-tag.js");
const redis_error_js_1 = require("./redis-error.js");
const scripts_js_1 = require("./scripts.js");
const RECEIPTS_MAX = 96;
/** What a store asks of a client, in calls that each keep to one slot of a Cluster. */
class SlotCalls {
    #link;
    #queue;
    #isCluster;
    constructor(link, queue, isCluster) {
        this.#link = link;
        this.#queue = queue;
        this.#isCluster = isCluster;
    }
    /** In milliseconds. */
    get deadline() {
        return this.#link.deadline.milliseconds;
    }
    /** True for claims that one call can decide. */
    isOnePart(group) {
        return group.length === 1 || this.bySlot(group).length === 1;
    }
    /** What can go into one call: all of it, or on a Cluster what shares a hash tag. */
    bySlot(items) {
        if (items.length === 0)
            return [];
        if (!this.#isCluster)
            return [items];
        const parts = new Map();
        for (const item of items) {
            const tag = (0, hash_tag_js_1.hashTag)(item.key);
            const part = parts.get(tag);
            if (part)
                part.push(item);
            else
                parts.set(tag, [item]);
        }
        return [...parts.values()];
    }
    /** Waits for what has been asked so far, also by other stores on this client. */
    idle() {
        this.#queue.flush();
        return this.#link.settled();
    }
    /** The time of something that takes several calls. */
    timeSpan() {
        return this.#link.deadline.timeSpan();
    }
    /** @param group claims of one slot */
    consume(group) {
        return this.#queue.ask(group, false);
    }
    async peek(group) {
        const parts = this.bySlot(group);
        const answers = await Promise.all(parts.map((part) => this.#queue.ask(part, true)));
        return answers.length === 1 ? answers[0] : mergeAnswers(group, parts, answers);
    }
    async refund(receipts) {
        this.#queue.flush();
        const given = await Promise.all(this.bySlot(receipts)
            .flatMap(inSlices)
            .map((part) => this.#refundPart(part)));
        return given.reduce((sum, units) => sum + units, 0);
    }
    /** Keeps the texts of a request that several calls have admitted. A text is not worth failing for. */
    async record(claims) {
        const noted = this.bySlot(claims.filter(({ record }) => record !== undefined));
        const keys = (part) => [...part.map(({ key }) => key), ...part.map(({ key }) => (0, groups_js_1.recordKey)(key))];
        const texts = (part) => part.map(({ record }) => record);
        await Promise.allSettled(noted.map((part) => this.#run(scripts_js_1.scripts.record, keys(part), texts(part))));
    }
    async reset(keys) {
        this.#queue.flush();
        const both = keys.flatMap((key) => [{ key }, { key: (0, groups_js_1.recordKey)(key) }]);
        await Promise.all(this.bySlot(both).map((part) => this.#run(scripts_js_1.scripts.reset, keysOf(part), [])));
    }
    async inspect(key) {
        this.#queue.flush();
        return (await this.#run(scripts_js_1.scripts.inspect, [(0, groups_js_1.recordKey)(key)], []));
    }
    /** Any script that names no key, for nobody knows yet which we may use. */
    ping() {
        return this.#run(scripts_js_1.scripts.eviction, [], []);
    }
    async #refundPart(receipts) {
        const args = receipts.flatMap(({ policy, units, at, until }) => [...(0, question_js_1.policyArguments)(policy), units, at, until]);
        const given = (0, question_js_1.toldBy)(await this.#run(scripts_js_1.scripts[refundScript(receipts)], keysOf(receipts), args));
        const problem = given.find((each) => typeof each === 'string');
        if (problem !== undefined)
            throw (0, redis_error_js_1.unreadable)(problem);
        return given.reduce((sum, units) => sum + units, 0);
    }
    #run(script, keys, args) {
        const asked = performance.now();
        return new Promise((answer, fail) => {
            this.#link.send({ script, keys, arguments: args, groups: 0, asked, answer, fail }, asked);
        });
    }
}
exports.SlotCalls = SlotCalls;
/** Puts the answers of parts into the order of the whole. */
function mergeAnswers(group, parts, answers) {
    const byClaim = new Map(parts.flatMap((part, index) => part.map((claim, at) => [claim, answers[index].outcomes[at]])));
    return {
        outcomes: group.map((claim) => byClaim.get(claim)),
        receipts: answers.flatMap((answer) => answer.receipts),
        source: 'redis',
        asked: Math.min(...answers.map(({ asked = -Infinity }) => asked)),
    };
}
/** A call that gives back thousands would hold up all others. */
function inSlices(items) {
    const slices = [];
    for (let start = 0; start < items.length; start += RECEIPTS_MAX)
        slices.push(items.slice(start, start + RECEIPTS_MAX));
    return slices;
}
function keysOf(items) {
    return items.map(({ key }) => key);
}
/** The less a script defines, the sooner it is done. */
function refundScript(receipts) {
    const codes = new Set(receipts.map(({ policy }) => (0, index_js_1.algorithmOf)(policy).code));
    return `refund-${codes.size === 1 ? [...codes][0] : 'any'}`;
}
//# sourceMappingURL=slot-calls.js.map