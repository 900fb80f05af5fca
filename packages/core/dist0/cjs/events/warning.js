"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.warn = warn;
const given = new Set();
/**
 * Warns by `process.emitWarning`, once for each code: what is wrong at every request is worth a line, and no more.
 *
 * @param code its section in docs/reference/warnings.md
 */
function warn(code, text) {
    if (given.has(code))
        return;
    given.add(code);
    process.emitWarning(text, {
        type: 'SluiceWarning',
        code,
        detail: `See docs/reference/warnings.md#${code.toLowerCase()}`,
    });
}
//# sourceMappingURL=warning.js.map