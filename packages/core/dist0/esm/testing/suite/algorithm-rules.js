import assert from 'node:assert/strict';
import { HELD } from './samples.js';
/** What holds for a tier of any algorithm. */
export function algorithmRules(trial, options) {
    budgetRules(trial, options);
    costRules(trial, options);
    givingBackRules(trial, options);
}
function budgetRules(trial, options) {
    trial('admits what it holds and denies the next, saying when to come back', async (store, claims) => {
        const claim = claims('tier', options);
        const left = [];
        for (let count = 0; count < HELD; count += 1)
            left.push((await consume(store, claim)).remaining);
        const denied = await consume(store, claim);
        assert.deepEqual(left, [4, 3, 2, 1, 0]);
        assert.deepEqual([denied.allowed, denied.never, denied.remaining, denied.limit], [false, false, 0, HELD]);
        assert.ok(denied.retryAfter > 0 && Number.isFinite(denied.retryAfter));
    });
    trial('admits exactly what it holds of many checks at once', async (store, claims) => {
        const claim = claims('tier', options);
        const answers = await Promise.all(Array.from({ length: 50 }, async () => store.consume([claim])));
        assert.equal(answers.filter(({ outcomes }) => outcomes[0].allowed).length, HELD);
        assert.equal(answers.flatMap(({ receipts }) => receipts).length, HELD);
    });
    trial('is only looked at by peek', async (store, claims) => {
        const claim = claims('tier', options);
        await consume(store, claim);
        const looks = [await peek(store, claim), await peek(store, claim)];
        assert.deepEqual(looks.map(({ allowed, remaining }) => [allowed, remaining]), [
            [true, 4],
            [true, 4],
        ]);
        assert.equal((await consume(store, claim)).remaining, 3);
    });
    trial('says by peek that it would deny', async (store, claims) => {
        await consume(store, claims('tier', options, { cost: HELD }));
        const look = await peek(store, claims('tier', options));
        assert.equal(look.allowed, false);
        assert.ok(look.retryAfter > 0);
    });
}
function costRules(trial, options) {
    trial('takes a cost as a whole, and a denied one not at all', async (store, claims) => {
        const three = claims('tier', options, { cost: 3 });
        const outcomes = [await consume(store, three), await consume(store, three)];
        const last = await consume(store, { ...three, cost: 2 });
        assert.deepEqual(outcomes.map(({ allowed, remaining }) => [allowed, remaining]), [
            [true, 2],
            [false, 2],
        ]);
        assert.deepEqual([last.allowed, last.remaining], [true, 0]);
    });
    trial('reads without charging at a cost of 0', async (store, claims) => {
        const nothing = claims('tier', options, { cost: 0 });
        const fresh = await store.consume([nothing]);
        await consume(store, { ...nothing, cost: HELD });
        const full = await consume(store, nothing);
        assert.deepEqual([fresh.outcomes[0].allowed, fresh.outcomes[0].remaining], [true, HELD]);
        assert.deepEqual(fresh.receipts, []);
        assert.deepEqual([full.allowed, full.remaining], [true, 0]);
    });
    trial('never admits a cost above what it holds', async (store, claims) => {
        const outcome = await consume(store, claims('tier', options, { cost: HELD + 1 }));
        assert.deepEqual([outcome.allowed, outcome.never, outcome.remaining], [false, true, HELD]);
        assert.equal(outcome.retryAfter, Infinity);
    });
    trial('counts denied requests too where it is told to, at most up to full', async (store, claims) => {
        const counting = claims('counting', options, { countDenied: true });
        const denying = claims('denying', options, { cost: HELD + 1 });
        const left = [];
        for (let count = 0; count < HELD + 2; count += 1) {
            left.push((await store.consume([counting, denying])).outcomes[0].remaining);
        }
        assert.deepEqual(left, [4, 3, 2, 1, 0, 0, 0]);
    });
    trial('is charged in shadow when the request is admitted and fits', async (store, claims) => {
        const shadow = claims('shadow', options, { shadow: true, cost: 3 });
        const enforced = claims('enforced', { limit: 2, window: '1h' });
        const first = await store.consume([shadow, enforced]);
        const second = await store.consume([shadow, enforced]);
        const third = await store.consume([{ ...shadow, cost: 1 }, enforced]);
        assert.deepEqual(first.outcomes.map(({ remaining }) => remaining), [2, 1]);
        // It does not fit, which is told and harms nobody.
        assert.deepEqual(second.outcomes.map(({ allowed, remaining }) => [allowed, remaining]), [
            [false, 2],
            [true, 0],
        ]);
        // It would fit, but the request is denied.
        assert.deepEqual(third.outcomes.map(({ allowed, remaining }) => [allowed, remaining]), [
            [true, 2],
            [false, 0],
        ]);
        assert.deepEqual(third.outcomes.map(({ shadow: watches }) => watches), [true, false]);
    });
}
function givingBackRules(trial, options) {
    trial('is given back what was taken, once', async (store, claims) => {
        const claim = claims('tier', options, { cost: 3 });
        const { receipts } = await store.consume([claim]);
        const given = await store.refund(receipts);
        const again = await store.refund(receipts);
        assert.deepEqual([given, again], [3, 0]);
        assert.equal((await peek(store, claim)).remaining, HELD);
    });
    trial('is given back nothing that is not held', async (store, claims) => {
        const claim = claims('tier', options, { cost: 3 });
        const { receipts } = await store.consume([claim]);
        await store.reset([claim.key]);
        assert.equal(await store.refund(receipts), 0);
        assert.equal((await peek(store, claim)).remaining, HELD);
    });
    trial('is unused again after a reset', async (store, claims) => {
        const claim = claims('tier', options, { cost: HELD });
        await consume(store, claim);
        await store.reset([claim.key]);
        assert.equal((await consume(store, claim)).allowed, true);
    });
}
async function consume(store, claim) {
    return (await store.consume([claim])).outcomes[0];
}
async function peek(store, claim) {
    return (await store.peek([claim])).outcomes[0];
}
//# sourceMappingURL=algorithm-rules.js.map