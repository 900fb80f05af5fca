"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.groupRules = groupRules;
const strict_1 = __importDefault(require("node:assert/strict"));
const samples_js_1 = require("./samples.js");
/** What holds for tiers that are decided together. */
function groupRules(trial) {
    trial('are charged all or, when one denies, none', async (store, claims) => {
        const wide = claims('wide', { algorithm: 'token-bucket', limit: 1, window: '1h', burst: 5 });
        const narrow = claims('narrow', { algorithm: 'fixed-window', limit: 2, window: '1h' });
        await store.consume([wide, narrow]);
        await store.consume([wide, narrow]);
        const denied = await store.consume([wide, narrow]);
        strict_1.default.deepEqual(told(denied), [
            ['wide', true, 3],
            ['narrow', false, 0],
        ]);
        strict_1.default.deepEqual(denied.receipts, []);
        strict_1.default.deepEqual(told(await store.peek([wide, narrow])), [
            ['wide', true, 3],
            ['narrow', false, 0],
        ]);
    });
    trial('are answered in their order', async (store, claims) => {
        const group = everyAlgorithm(claims);
        const forth = await store.consume(group);
        const back = await store.consume(group.toReversed());
        strict_1.default.deepEqual(forth.outcomes.map(({ tier }) => tier), group.map(({ tier }) => tier));
        strict_1.default.deepEqual(back.outcomes.map(({ tier }) => tier), group.map(({ tier }) => tier).toReversed());
        strict_1.default.deepEqual(forth.receipts.map(({ tier }) => tier), group.map(({ tier }) => tier));
    });
    trial('may be of every algorithm', async (store, claims) => {
        const group = everyAlgorithm(claims);
        const answers = [];
        for (let count = 0; count <= samples_js_1.HELD; count += 1)
            answers.push(await store.consume(group));
        strict_1.default.deepEqual(answers.map(({ outcomes }) => outcomes.every(({ allowed }) => allowed)), [true, true, true, true, true, false]);
        strict_1.default.ok(answers[samples_js_1.HELD].outcomes.every(({ allowed, remaining }) => !allowed && remaining === 0));
    });
    trial('may be none', async (store) => {
        const { outcomes, receipts } = await store.consume([]);
        strict_1.default.deepEqual([outcomes, receipts], [[], []]);
    });
    trial('stay all or none when many overlap at once', async (store, claims) => {
        const shared = claims('shared', samples_js_1.SAMPLES['sliding-window']);
        const own = Array.from({ length: 20 }, (_, index) => claims(`own-${index}`, samples_js_1.SAMPLES['token-bucket']));
        const answers = await Promise.all(own.map(async (each) => store.consume([each, shared])));
        const charged = await Promise.all(own.map(async (each) => store.peek([each])));
        strict_1.default.equal(answers.filter(({ receipts }) => receipts.length === 2).length, samples_js_1.HELD);
        strict_1.default.equal(answers.filter(({ receipts }) => receipts.length === 0).length, 20 - samples_js_1.HELD);
        strict_1.default.equal(charged.filter(({ outcomes }) => outcomes[0].remaining === samples_js_1.HELD - 1).length, samples_js_1.HELD);
    });
    trial('are counted on denial only where a tier says so', async (store, claims) => {
        const login = claims('login', samples_js_1.SAMPLES['fixed-window'], { countDenied: true });
        const other = claims('other', samples_js_1.SAMPLES['sliding-window']);
        const denying = claims('denying', samples_js_1.SAMPLES['sliding-window-log'], { cost: samples_js_1.HELD + 1 });
        const { outcomes, receipts } = await store.consume([login, other, denying]);
        strict_1.default.deepEqual(outcomes.map(({ remaining }) => remaining), [samples_js_1.HELD - 1, samples_js_1.HELD, samples_js_1.HELD]);
        strict_1.default.deepEqual(receipts.map(({ tier, units }) => [tier, units]), [['login', 1]]);
    });
    trial('leave a receipt each of what they were charged', async (store, claims) => {
        const one = claims('one', samples_js_1.SAMPLES['fixed-window'], { cost: 2 });
        const other = claims('other', samples_js_1.SAMPLES['token-bucket'], { cost: 3 });
        const free = claims('free', samples_js_1.SAMPLES['multi-window'], { cost: 0 });
        const { receipts } = await store.consume([one, other, free]);
        strict_1.default.deepEqual(receipts.map(({ tier, key, units }) => [tier, key, units]), [
            ['one', one.key, 2],
            ['other', other.key, 3],
        ]);
        strict_1.default.ok(receipts.every(({ at, until }) => Number.isSafeInteger(at) && until > at));
    });
    trial('are given back together, and the sum is told', async (store, claims) => {
        const one = claims('one', samples_js_1.SAMPLES['fixed-window'], { cost: 2 });
        const other = claims('other', samples_js_1.SAMPLES['sliding-window'], { cost: 3 });
        const { receipts } = await store.consume([one, other]);
        strict_1.default.equal(await store.refund(receipts), 5);
        strict_1.default.deepEqual(told(await store.peek([one, other])), [
            ['one', true, samples_js_1.HELD],
            ['other', true, samples_js_1.HELD],
        ]);
    });
    trial('charge a tier again when its limit was changed, on the same count', async (store, claims) => {
        const before = claims('tier', samples_js_1.SAMPLES['fixed-window'], { cost: 4 });
        await store.consume([before]);
        const raised = await store.consume([claims('tier', { algorithm: 'fixed-window', limit: 9, window: '1h' })]);
        const cut = await store.consume([claims('tier', { algorithm: 'fixed-window', limit: 3, window: '1h' })]);
        strict_1.default.deepEqual(told(raised), [['tier', true, 4]]);
        strict_1.default.deepEqual(told(cut), [['tier', false, 0]]);
    });
}
function everyAlgorithm(claims) {
    return Object.values(samples_js_1.SAMPLES).map((options, index) => claims(`tier-${index}`, options));
}
function told({ outcomes }) {
    return outcomes.map(({ tier, allowed, remaining }) => [tier, allowed, remaining]);
}
//# sourceMappingURL=group-rules.js.map