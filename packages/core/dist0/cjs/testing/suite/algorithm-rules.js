"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.algorithmRules = algorithmRules;
const strict_1 = __importDefault(require("node:assert/strict"));
const samples_js_1 = require("./samples.js");
/** What holds for a tier of any algorithm. */
function algorithmRules(trial, options) {
    budgetRules(trial, options);
    costRules(trial, options);
    givingBackRules(trial, options);
}
function budgetRules(trial, options) {
    trial('admits what it holds and denies the next, saying when to come back', async (store, claims) => {
        const claim = claims('tier', options);
        const left = [];
        for (let count = 0; count < samples_js_1.HELD; count += 1)
            left.push((await consume(store, claim)).remaining);
        const denied = await consume(store, claim);
        strict_1.default.deepEqual(left, [4, 3, 2, 1, 0]);
        strict_1.default.deepEqual([denied.allowed, denied.never, denied.remaining, denied.limit], [false, false, 0, samples_js_1.HELD]);
        strict_1.default.ok(denied.retryAfter > 0 && Number.isFinite(denied.retryAfter));
    });
    trial('admits exactly what it holds of many checks at once', async (store, claims) => {
        const claim = claims('tier', options);
        const answers = await Promise.all(Array.from({ length: 50 }, async () => store.consume([claim])));
        strict_1.default.equal(answers.filter(({ outcomes }) => outcomes[0].allowed).length, samples_js_1.HELD);
        strict_1.default.equal(answers.flatMap(({ receipts }) => receipts).length, samples_js_1.HELD);
    });
    trial('is only looked at by peek', async (store, claims) => {
        const claim = claims('tier', options);
        await consume(store, claim);
        const looks = [await peek(store, claim), await peek(store, claim)];
        strict_1.default.deepEqual(looks.map(({ allowed, remaining }) => [allowed, remaining]), [
            [true, 4],
            [true, 4],
        ]);
        strict_1.default.equal((await consume(store, claim)).remaining, 3);
    });
    trial('says by peek that it would deny', async (store, claims) => {
        await consume(store, claims('tier', options, { cost: samples_js_1.HELD }));
        const look = await peek(store, claims('tier', options));
        strict_1.default.equal(look.allowed, false);
        strict_1.default.ok(look.retryAfter > 0);
    });
}
function costRules(trial, options) {
    trial('takes a cost as a whole, and a denied one not at all', async (store, claims) => {
        const three = claims('tier', options, { cost: 3 });
        const outcomes = [await consume(store, three), await consume(store, three)];
        const last = await consume(store, { ...three, cost: 2 });
        strict_1.default.deepEqual(outcomes.map(({ allowed, remaining }) => [allowed, remaining]), [
            [true, 2],
            [false, 2],
        ]);
        strict_1.default.deepEqual([last.allowed, last.remaining], [true, 0]);
    });
    trial('reads without charging at a cost of 0', async (store, claims) => {
        const nothing = claims('tier', options, { cost: 0 });
        const fresh = await store.consume([nothing]);
        await consume(store, { ...nothing, cost: samples_js_1.HELD });
        const full = await consume(store, nothing);
        strict_1.default.deepEqual([fresh.outcomes[0].allowed, fresh.outcomes[0].remaining], [true, samples_js_1.HELD]);
        strict_1.default.deepEqual(fresh.receipts, []);
        strict_1.default.deepEqual([full.allowed, full.remaining], [true, 0]);
    });
    trial('never admits a cost above what it holds', async (store, claims) => {
        const outcome = await consume(store, claims('tier', options, { cost: samples_js_1.HELD + 1 }));
        strict_1.default.deepEqual([outcome.allowed, outcome.never, outcome.remaining], [false, true, samples_js_1.HELD]);
        strict_1.default.equal(outcome.retryAfter, Infinity);
    });
    trial('counts denied requests too where it is told to, at most up to full', async (store, claims) => {
        const counting = claims('counting', options, { countDenied: true });
        const denying = claims('denying', options, { cost: samples_js_1.HELD + 1 });
        const left = [];
        for (let count = 0; count < samples_js_1.HELD + 2; count += 1) {
            left.push((await store.consume([counting, denying])).outcomes[0].remaining);
        }
        strict_1.default.deepEqual(left, [4, 3, 2, 1, 0, 0, 0]);
    });
    trial('is charged in shadow when the request is admitted and fits', async (store, claims) => {
        const shadow = claims('shadow', options, { shadow: true, cost: 3 });
        const enforced = claims('enforced', { limit: 2, window: '1h' });
        const first = await store.consume([shadow, enforced]);
        const second = await store.consume([shadow, enforced]);
        const third = await store.consume([{ ...shadow, cost: 1 }, enforced]);
        strict_1.default.deepEqual(first.outcomes.map(({ remaining }) => remaining), [2, 1]);
        // It does not fit, which is told and harms nobody.
        strict_1.default.deepEqual(second.outcomes.map(({ allowed, remaining }) => [allowed, remaining]), [
            [false, 2],
            [true, 0],
        ]);
        // It would fit, but the request is denied.
        strict_1.default.deepEqual(third.outcomes.map(({ allowed, remaining }) => [allowed, remaining]), [
            [true, 2],
            [false, 0],
        ]);
        strict_1.default.deepEqual(third.outcomes.map(({ shadow: watches }) => watches), [true, false]);
    });
}
function givingBackRules(trial, options) {
    trial('is given back what was taken, once', async (store, claims) => {
        const claim = claims('tier', options, { cost: 3 });
        const { receipts } = await store.consume([claim]);
        const given = await store.refund(receipts);
        const again = await store.refund(receipts);
        strict_1.default.deepEqual([given, again], [3, 0]);
        strict_1.default.equal((await peek(store, claim)).remaining, samples_js_1.HELD);
    });
    trial('is given back nothing that is not held', async (store, claims) => {
        const claim = claims('tier', options, { cost: 3 });
        const { receipts } = await store.consume([claim]);
        await store.reset([claim.key]);
        strict_1.default.equal(await store.refund(receipts), 0);
        strict_1.default.equal((await peek(store, claim)).remaining, samples_js_1.HELD);
    });
    trial('is unused again after a reset', async (store, claims) => {
        const claim = claims('tier', options, { cost: samples_js_1.HELD });
        await consume(store, claim);
        await store.reset([claim.key]);
        strict_1.default.equal((await consume(store, claim)).allowed, true);
    });
}
async function consume(store, claim) {
    return (await store.consume([claim])).outcomes[0];
}
async function peek(store, claim) {
    return (await store.peek([claim])).outcomes[0];
}
//# sourceMappingURL=algorithm-rules.js.map