"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.recordRules = recordRules;
const strict_1 = __importDefault(require("node:assert/strict"));
const samples_js_1 = require("./samples.js");
const NOTES_KEPT = 20;
/** What holds for the texts that a tier keeps of admitted requests. */
function recordRules(trial) {
    for (const [name, options] of Object.entries(samples_js_1.SAMPLES)) {
        trial(`are told newest first (${name})`, async (store, claims) => {
            const claim = claims('tier', options);
            for (const record of ['first', 'second', 'third'])
                await store.consume([{ ...claim, record }]);
            strict_1.default.deepEqual(await store.inspect(claim.key), ['third', 'second', 'first']);
        });
    }
    trial('are the newest twenty', async (store, claims) => {
        const claim = claims('tier', { limit: 100, window: '1h' });
        const texts = Array.from({ length: NOTES_KEPT + 5 }, (_, index) => `request ${index}`);
        for (const record of texts)
            await store.consume([{ ...claim, record }]);
        strict_1.default.deepEqual(await store.inspect(claim.key), texts.toReversed().slice(0, NOTES_KEPT));
    });
    trial('are of admitted requests only', async (store, claims) => {
        const noted = claims('noted', samples_js_1.SAMPLES['fixed-window'], { countDenied: true, record: 'admitted' });
        const other = claims('other', samples_js_1.SAMPLES['sliding-window']);
        await store.consume([noted, other]);
        await store.consume([
            { ...noted, record: 'denied by another tier' },
            { ...other, cost: samples_js_1.HELD + 1 },
        ]);
        await store.consume([{ ...noted, record: 'denied by its own', cost: samples_js_1.HELD }]);
        strict_1.default.deepEqual(await store.inspect(noted.key), ['admitted']);
    });
    trial('are of charged requests only', async (store, claims) => {
        const claim = claims('tier', samples_js_1.SAMPLES['fixed-window'], { record: 'charged' });
        await store.consume([claim]);
        await store.consume([{ ...claim, record: 'cost 0', cost: 0 }]);
        await store.consume([{ ...claim, record: 'does not fit in shadow', shadow: true, cost: samples_js_1.HELD }]);
        await store.peek([{ ...claim, record: 'only looked' }]);
        strict_1.default.deepEqual(await store.inspect(claim.key), ['charged']);
    });
    trial('are kept whatever a tier says that only watches', async (store, claims) => {
        const claim = claims('tier', samples_js_1.SAMPLES['fixed-window'], { record: 'admitted' });
        const watching = claims('watching', samples_js_1.SAMPLES['sliding-window'], { shadow: true, countDenied: true, cost: samples_js_1.HELD });
        for (const record of ['fits', 'is full'])
            await store.consume([claim, { ...watching, record }]);
        strict_1.default.deepEqual(await store.inspect(claim.key), ['admitted', 'admitted']);
        strict_1.default.deepEqual(await store.inspect(watching.key), ['fits']);
    });
    trial('belong to their key and are forgotten with it', async (store, claims) => {
        const one = claims('one', samples_js_1.SAMPLES['token-bucket'], { record: 'one' });
        const other = claims('other', samples_js_1.SAMPLES['token-bucket'], { record: 'other' });
        await store.consume([one, other]);
        await store.reset([one.key]);
        strict_1.default.deepEqual([await store.inspect(one.key), await store.inspect(other.key)], [[], ['other']]);
        strict_1.default.deepEqual(await store.inspect(claims('nobody', samples_js_1.SAMPLES['token-bucket']).key), []);
    });
}
//# sourceMappingURL=record-rules.js.map