import assert from 'node:assert/strict';
import { HELD, SAMPLES } from './samples.js';
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
export function keyRules(trial) {
    for (const [name, ending] of Object.entries(ENDINGS)) {
        trial(`may hold ${name}`, async (store, claims) => {
            const plain = claims('plain', SAMPLES['fixed-window'], { cost: HELD, record: 'seen' });
            const claim = { ...plain, key: `${plain.key}:${ending}` };
            const answers = [await store.consume([claim]), await store.consume([claim]), await store.consume([plain])];
            assert.deepEqual(answers.map(({ outcomes }) => outcomes[0].allowed), [true, false, true]);
            assert.deepEqual(await store.inspect(claim.key), ['seen']);
        });
    }
    trial('are apart however little they differ', async (store, claims) => {
        const plain = claims('tier', SAMPLES['sliding-window'], { cost: HELD });
        const group = Object.values(ENDINGS).map((ending, index) => ({
            ...plain,
            tier: `tier-${index}`,
            key: `${plain.key}:${ending}`,
        }));
        const { outcomes } = await store.consume(group);
        assert.ok(outcomes.every(({ allowed }) => allowed));
    });
    trial('are apart from what objects inherit', async (store, claims) => {
        for (const key of INHERITED) {
            const claim = claims('tier', SAMPLES['fixed-window'], { key, cost: HELD });
            await store.reset([key]);
            assert.equal((await store.peek([claim])).outcomes[0].remaining, HELD);
            assert.equal((await store.consume([claim])).outcomes[0].allowed, true);
            assert.equal((await store.consume([claim])).outcomes[0].allowed, false);
            await store.reset([key]);
        }
    });
    trial('that nobody has used can be reset', async (store, claims) => {
        const { key } = claims('tier', SAMPLES['fixed-window']);
        await store.reset([key, key]);
        await store.reset([]);
        assert.deepEqual(await store.inspect(key), []);
    });
}
//# sourceMappingURL=key-rules.js.map