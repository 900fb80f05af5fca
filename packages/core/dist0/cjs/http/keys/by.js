"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.by = by;
exports.otherwiseOf = otherwiseOf;
exports.textOf = textOf;
const proceed_js_1 = require("../../model/proceed.js");
const errors_js_1 = require("../../model/errors.js");
const option_reader_js_1 = require("../../model/option-reader.js");
const identity_options_js_1 = require("./identity-options.js");
const ip_js_1 = require("./ip.js");
/** Nobody's name is longer, and hashing what a client makes longer is work that it can order. */
const LONGEST = 512;
/**
 * Identifies by a text that a function reads, such as an account: `by('account', (request) => request.body?.email)`. What
 * is no text of 1 to 512 characters, and no whole number, is no identity, and `otherwise` is asked. Two spellings are two
 * identities: what your application takes for one, such as an address of e-mail in any case, has to come in one spelling.
 *
 * @param kind keeps these identities apart from all others
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
function by(kind, read, options = {}) {
    if (typeof kind !== 'string' || kind === '') {
        throw new errors_js_1.ConfigError('KEY_INVALID', 'kind', kind, `by: kind must be a non-empty text, got ${(0, option_reader_js_1.show)(kind)}`);
    }
    if (typeof read !== 'function') {
        throw new errors_js_1.ConfigError('KEY_INVALID', 'read', read, `by: read must be a function of the subject, got ${(0, option_reader_js_1.show)(read)}`);
    }
    const otherwise = otherwiseOf((0, identity_options_js_1.readIdentityOptions)('by', options, ['otherwise']), options);
    return (subject) => (0, proceed_js_1.proceed)(read(subject), (value) => {
        const text = textOf(value);
        return text === undefined ? otherwise(subject) : { kind, parts: [text] };
    });
}
/** @throws ConfigError OPTION_INVALID */
function otherwiseOf(reader, options) {
    return reader.function('otherwise', options.otherwise) ?? (0, ip_js_1.byIp)();
}
/** The text that identifies, or undefined for what identifies nobody: clients send arrays and objects as well. */
function textOf(value) {
    const text = Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : value;
    return typeof text === 'string' && text !== '' && text.length <= LONGEST ? text : undefined;
}
//# sourceMappingURL=by.js.map