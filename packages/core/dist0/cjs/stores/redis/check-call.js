"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.CheckCall = void 0;
const answer_js_1 = require("../answer.js");
const equal_groups_js_1 = require("./equal-groups.js");
const groups_js_1 = require("./groups.js");
const question_js_1 = require("./question.js");
const redis_error_js_1 = require("./redis-error.js");
const scripts_js_1 = require("./scripts.js");
const singles_js_1 = require("./singles.js");
const GROUPS_MAX = 32;
const CLAIMS_MAX = 96;
/** Units of logs: each is an entry that is written. */
const ENTRIES_MAX = 1_000;
/** Checks that travel together: the script and what it is called with, and how its reply is read. */
class CheckCall {
    /** When the first of them was asked for, in milliseconds of `performance.now()`. */
    asked;
    #checks = [];
    #claims = 0;
    #entries = 0;
    #question;
    constructor(asked) {
        this.asked = asked;
    }
    get groups() {
        return this.#checks.length;
    }
    get full() {
        return this.#checks.length >= GROUPS_MAX || this.#claims >= CLAIMS_MAX || this.#entries >= ENTRIES_MAX;
    }
    hasRoomFor(group) {
        if (this.#checks.length === 0)
            return true;
        return (this.#checks.length < GROUPS_MAX &&
            this.#claims + group.length <= CLAIMS_MAX &&
            this.#entries + entriesOf(group) <= ENTRIES_MAX);
    }
    add(check) {
        this.#checks.push(check);
        this.#claims += check.group.length;
        this.#entries += entriesOf(check.group);
    }
    get scriptName() {
        return this.#asking.scriptName;
    }
    get script() {
        return scripts_js_1.scripts[this.#asking.scriptName];
    }
    get keys() {
        return this.#asking.keys;
    }
    get arguments() {
        return this.#asking.arguments;
    }
    /** Gives every check its part of the reply. */
    answer(reply) {
        const { now, rulings } = this.read(reply);
        for (let index = 0; index < rulings.length; index += 1) {
            const { group, answer } = this.#checks[index];
            const ruled = rulings[index];
            if (typeof ruled === 'string')
                answer.fail((0, redis_error_js_1.unreadable)(ruled));
            else
                answer.arrive((0, answer_js_1.toAnswer)(group, ruled, now, 'redis', this.asked));
        }
    }
    /** The rulings of each check in order, or why it could not be decided. */
    read(reply) {
        return this.#asking.read((0, question_js_1.toldBy)(reply));
    }
    fail(error) {
        for (const { answer } of this.#checks)
            answer.fail(error);
    }
    /** The shortest way to ask for all of it, once it is all there. */
    get #asking() {
        this.#question ??= singles_js_1.Singles.of(this.#checks) ?? equal_groups_js_1.EqualGroups.of(this.#checks) ?? new groups_js_1.Groups(this.#checks);
        return this.#question;
    }
}
exports.CheckCall = CheckCall;
function entriesOf(group) {
    let entries = 0;
    for (const { policy, cost } of group) {
        if (policy.algorithm === 'sliding-window-log')
            entries += Math.min(cost, policy.capacity);
    }
    return entries;
}
//# sourceMappingURL=check-call.js.map