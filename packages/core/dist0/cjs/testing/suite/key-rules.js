"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.keyRules = keyRules;
const strict_1 = __importDefault(require("node:assert/strict"));
const samples_js_1 = require("./samples.js");
// Whole keys that an object would find on its prototype.
const INHERITED = ['__proto__', 'constructor', 'hasOwnProperty'];
const ENDINGS = {
    nothing: '',
    'the name of a prototype': '__proto__',
    '10 kB': 'k'.repeat(10_000),
    braces: '}{}{',
    'a NUL': 'a\0b',
    'an emoji': '😀',
    'a line break': '\r\n',
    'a space': ' ',
    'a glob': '*?[a]',
};
/** What holds whatever a key is made of. */
function keyRules(trial) {
    for (const [name, ending] of Object.entries(ENDINGS)) {
        trial(`may hold ${name}`, async (store, claims) => {
            const plain = claims('plain', samples_js_1.SAMPLES['fixed-window'], { cost: samples_js_1.HELD, record: 'seen' });
            const claim = { ...plain, key: `${plain.key}:${ending}` };
            const answers = [await store.consume([claim]), await store.consume([claim]), await store.consume([plain])];
            strict_1.default.deepEqual(answers.map(({ outcomes }) => outcomes[0].allowed), [true, false, true]);
            strict_1.default.deepEqual(await store.inspect(claim.key), ['seen']);
        });
    }
    trial('are apart however little they differ', async (store, claims) => {
        const plain = claims('tier', samples_js_1.SAMPLES['sliding-window'], { cost: samples_js_1.HELD });
        const group = Object.values(ENDINGS).map((ending, index) => ({
            ...plain,
            tier: `tier-${index}`,
            key: `${plain.key}:${ending}`,
        }));
        const { outcomes } = await store.consume(group);
        strict_1.default.ok(outcomes.every(({ allowed }) => allowed));
    });
    trial('are apart from what objects inherit', async (store, claims) => {
        for (const key of INHERITED) {
            const claim = claims('tier', samples_js_1.SAMPLES['fixed-window'], { key, cost: samples_js_1.HELD });
            await store.reset([key]);
            strict_1.default.equal((await store.peek([claim])).outcomes[0].remaining, samples_js_1.HELD);
            strict_1.default.equal((await store.consume([claim])).outcomes[0].allowed, true);
            strict_1.default.equal((await store.consume([claim])).outcomes[0].allowed, false);
            await store.reset([key]);
        }
    });
    trial('that nobody has used can be reset', async (store, claims) => {
        const { key } = claims('tier', samples_js_1.SAMPLES['fixed-window']);
        await store.reset([key, key]);
        await store.reset([]);
        strict_1.default.deepEqual(await store.inspect(key), []);
    });
}
//# sourceMappingURL=key-rules.js.map