"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.closingRules = closingRules;
const strict_1 = __importDefault(require("node:assert/strict"));
const samples_js_1 = require("./samples.js");
/** What holds once a store is closed. */
function closingRules(trial) {
    trial('answers what was asked before', async (store, claims) => {
        const claim = claims('tier', samples_js_1.SAMPLES['fixed-window']);
        const asked = Promise.all([1, 2, 3].map(async () => store.consume([claim])));
        await store.close();
        // All of them, in whatever order: a remote store may have to send one again.
        const remaining = (await asked).map(({ outcomes }) => outcomes[0].remaining);
        strict_1.default.deepEqual(new Set(remaining), new Set([2, 3, 4]));
    });
    trial('refuses every call after it', async (store, claims) => {
        const claim = claims('tier', samples_js_1.SAMPLES['fixed-window']);
        const calls = {
            consume: (closed) => closed.consume([claim]),
            peek: (closed) => closed.peek([claim]),
            refund: (closed) => closed.refund([]),
            reset: (closed) => closed.reset([claim.key]),
            inspect: (closed) => closed.inspect(claim.key),
        };
        await store.close();
        for (const [name, call] of Object.entries(calls)) {
            await strict_1.default.rejects(async () => call(store), { name: 'StoreError', code: 'STORE_CLOSED' }, name);
        }
    });
    trial('does no harm when it is done twice', async (store) => {
        await store.close();
        await store.close();
    });
}
//# sourceMappingURL=closing-rules.js.map