"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readIdentityOptions = readIdentityOptions;
const errors_js_1 = require("../../model/errors.js");
const option_reader_js_1 = require("../../model/option-reader.js");
/**
 * Reads the options of an identity. What is no object has no options that could be wrong, so `byIp(56)` would be taken
 * for `byIp()` and nobody would know.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
function readIdentityOptions(owner, options, known) {
    if (typeof options === 'object' && options !== null)
        return new option_reader_js_1.OptionReader(owner, options, known);
    throw new errors_js_1.ConfigError('OPTION_INVALID', 'options', options, `${owner}: options must be an object, got ${(0, option_reader_js_1.show)(options)}`);
}
//# sourceMappingURL=identity-options.js.map