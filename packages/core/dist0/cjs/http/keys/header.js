"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.byHeader = byHeader;
exports.headerName = headerName;
const errors_js_1 = require("../../model/errors.js");
const option_reader_js_1 = require("../../model/option-reader.js");
const request_js_1 = require("../request.js");
const by_js_1 = require("./by.js");
const identity_options_js_1 = require("./identity-options.js");
/**
 * Identifies by a header that something in front of the application sets and that clients cannot set, such as the name
 * of a tenant. Kind `header`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
function byHeader(header, options = {}) {
    const name = headerName('byHeader', header);
    const otherwise = (0, by_js_1.otherwiseOf)((0, identity_options_js_1.readIdentityOptions)('byHeader', options, ['otherwise']), options);
    return (subject) => {
        const value = (0, by_js_1.textOf)((0, request_js_1.headerOf)(subject, name));
        return value === undefined ? otherwise(subject) : { kind: 'header', parts: [name, value] };
    };
}
/** @throws ConfigError KEY_INVALID for what no header can be called */
function headerName(owner, header) {
    if (typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header))
        return header.toLowerCase();
    throw new errors_js_1.ConfigError('KEY_INVALID', 'header', header, `${owner}: header must be the name of a header, got ${(0, option_reader_js_1.show)(header)}`);
}
//# sourceMappingURL=header.js.map