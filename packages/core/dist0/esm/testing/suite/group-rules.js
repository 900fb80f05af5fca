import assert from 'node:assert/strict';
import { HELD, SAMPLES } from './samples.js';
/** What holds for tiers that are decided together. */
export function groupRules(trial) {
    trial('are charged all or, when one denies, none', async (store, claims) => {
        const wide = claims('wide', { algorithm: 'token-bucket', limit: 1, window: '1h', burst: 5 });
        const narrow = claims('narrow', { algorithm: 'fixed-window', limit: 2, window: '1h' });
        await store.consume([wide, narrow]);
        await store.consume([wide, narrow]);
        const denied = await store.consume([wide, narrow]);
        assert.deepEqual(told(denied), [
            ['wide', true, 3],
            ['narrow', false, 0],
        ]);
        assert.deepEqual(denied.receipts, []);
        assert.deepEqual(told(await store.peek([wide, narrow])), [
            ['wide', true, 3],
            ['narrow', false, 0],
        ]);
    });
    trial('are answered in their order', async (store, claims) => {
        const group = everyAlgorithm(claims);
        const forth = await store.consume(group);
        const back = await store.consume(group.toReversed());
        assert.deepEqual(forth.outcomes.map(({ tier }) => tier), group.map(({ tier }) => tier));
        assert.deepEqual(back.outcomes.map(({ tier }) => tier), group.map(({ tier }) => tier).toReversed());
        assert.deepEqual(forth.receipts.map(({ tier }) => tier), group.map(({ tier }) => tier));
    });
    trial('may be of every algorithm', async (store, claims) => {
        const group = everyAlgorithm(claims);
        const answers = [];
        for (let count = 0; count <= HELD; count += 1)
            answers.push(await store.consume(group));
        assert.deepEqual(answers.map(({ outcomes }) => outcomes.every(({ allowed }) => allowed)), [true, true, true, true, true, false]);
        assert.ok(answers[HELD].outcomes.every(({ allowed, remaining }) => !allowed && remaining === 0));
    });
    trial('may be none', async (store) => {
        const { outcomes, receipts } = await store.consume([]);
        assert.deepEqual([outcomes, receipts], [[], []]);
    });
    trial('stay all or none when many overlap at once', async (store, claims) => {
        const shared = claims('shared', SAMPLES['sliding-window']);
        const own = Array.from({ length: 20 }, (_, index) => claims(`own-${index}`, SAMPLES['token-bucket']));
        const answers = await Promise.all(own.map(async (each) => store.consume([each, shared])));
        const charged = await Promise.all(own.map(async (each) => store.peek([each])));
        assert.equal(answers.filter(({ receipts }) => receipts.length === 2).length, HELD);
        assert.equal(answers.filter(({ receipts }) => receipts.length === 0).length, 20 - HELD);
        assert.equal(charged.filter(({ outcomes }) => outcomes[0].remaining === HELD - 1).length, HELD);
    });
    trial('are counted on denial only where a tier says so', async (store, claims) => {
        const login = claims('login', SAMPLES['fixed-window'], { countDenied: true });
        const other = claims('other', SAMPLES['sliding-window']);
        const denying = claims('denying', SAMPLES['sliding-window-log'], { cost: HELD + 1 });
        const { outcomes, receipts } = await store.consume([login, other, denying]);
        assert.deepEqual(outcomes.map(({ remaining }) => remaining), [HELD - 1, HELD, HELD]);
        assert.deepEqual(receipts.map(({ tier, units }) => [tier, units]), [['login', 1]]);
    });
    trial('leave a receipt each of what they were charged', async (store, claims) => {
        const one = claims('one', SAMPLES['fixed-window'], { cost: 2 });
        const other = claims('other', SAMPLES['token-bucket'], { cost: 3 });
        const free = claims('free', SAMPLES['multi-window'], { cost: 0 });
        const { receipts } = await store.consume([one, other, free]);
        assert.deepEqual(receipts.map(({ tier, key, units }) => [tier, key, units]), [
            ['one', one.key, 2],
            ['other', other.key, 3],
        ]);
        assert.ok(receipts.every(({ at, until }) => Number.isSafeInteger(at) && until > at));
    });
    trial('are given back together, and the sum is told', async (store, claims) => {
        const one = claims('one', SAMPLES['fixed-window'], { cost: 2 });
        const other = claims('other', SAMPLES['sliding-window'], { cost: 3 });
        const { receipts } = await store.consume([one, other]);
        assert.equal(await store.refund(receipts), 5);
        assert.deepEqual(told(await store.peek([one, other])), [
            ['one', true, HELD],
            ['other', true, HELD],
        ]);
    });
    trial('charge a tier again when its limit was changed, on the same count', async (store, claims) => {
        const before = claims('tier', SAMPLES['fixed-window'], { cost: 4 });
        await store.consume([before]);
        const raised = await store.consume([claims('tier', { algorithm: 'fixed-window', limit: 9, window: '1h' })]);
        const cut = await store.consume([claims('tier', { algorithm: 'fixed-window', limit: 3, window: '1h' })]);
        assert.deepEqual(told(raised), [['tier', true, 4]]);
        assert.deepEqual(told(cut), [['tier', false, 0]]);
    });
}
function everyAlgorithm(claims) {
    return Object.values(SAMPLES).map((options, index) => claims(`tier-${index}`, options));
}
function told({ outcomes }) {
    return outcomes.map(({ tier, allowed, remaining }) => [tier, allowed, remaining]);
}
//# sourceMappingURL=group-rules.js.map