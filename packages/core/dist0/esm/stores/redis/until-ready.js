import { isSluiceError } from '../../model/errors.js';
/** Milliseconds between two attempts, and until the last. */
const PAUSE = 50;
const PATIENCE = 10_000;
/** Asks until there is an answer. Rejects with what the last attempt said after ten seconds. */
export async function untilReady(ask) {
    const end = performance.now() + PATIENCE;
    for (;;) {
        try {
            await ask();
            return;
        }
        catch (error) {
            const isClosed = isSluiceError(error) && error.code === 'STORE_CLOSED';
            if (isClosed || performance.now() >= end)
                throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
}
//# sourceMappingURL=until-ready.js.map