"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.giveBack = giveBack;
const warning_js_1 = require("../events/warning.js");
const errors_js_1 = require("../model/errors.js");
/** Refunds when nobody is left to be told: a failure is a warning, and what was to be given back stays counted. */
async function giveBack(refund) {
    try {
        await refund();
    }
    catch (error) {
        // Nothing is left to be given back to.
        if ((0, errors_js_1.isSluiceError)(error) && error.code === 'STORE_CLOSED')
            return;
        // What others say in their errors may tell who somebody is.
        const why = (0, errors_js_1.isSluiceError)(error) ? error.message : 'of an error that is not ours';
        (0, warning_js_1.warn)('SLUICE_REFUND_FAILED', `rateLimit: a refund has failed, and the request stays counted: ${why}`);
    }
}
//# sourceMappingURL=give-back.js.map