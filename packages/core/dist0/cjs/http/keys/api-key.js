"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.byApiKey = byApiKey;
const proceed_js_1 = require("../../model/proceed.js");
const passage_js_1 = require("../passage.js");
const request_js_1 = require("../request.js");
const by_js_1 = require("./by.js");
const header_js_1 = require("./header.js");
const identity_options_js_1 = require("./identity-options.js");
/**
 * Identifies by an API key. A key that was presented and not verified is free to make up: have a tier by IP beside it.
 * Kind `api-key`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
function byApiKey(options = {}) {
    const reader = (0, identity_options_js_1.readIdentityOptions)('byApiKey', options, ['header', 'query', 'from', 'otherwise']);
    const otherwise = (0, by_js_1.otherwiseOf)(reader, options);
    const from = reader.function('from', options.from);
    if (from && (reader.has('header') || reader.has('query'))) {
        throw reader.fail('OPTION_INVALID', 'from', 'must stand without header and query');
    }
    const { header = 'x-api-key', query } = options;
    const name = (0, header_js_1.headerName)('byApiKey', header);
    if (query !== undefined && (typeof query !== 'string' || query === '')) {
        throw reader.fail('OPTION_INVALID', 'query', 'must be the name of a field');
    }
    const identify = (subject, key) => key === undefined ? otherwise(subject) : { kind: 'api-key', parts: [key] };
    if (from)
        return (subject) => (0, proceed_js_1.proceed)(from(subject), (key) => identify(subject, (0, by_js_1.textOf)(key)));
    return (subject) => {
        const key = (0, by_js_1.textOf)(credentials(name, (0, request_js_1.headerOf)(subject, name))) ?? (0, by_js_1.textOf)(field(subject, query));
        const passage = key === undefined ? undefined : (0, passage_js_1.passageOf)(subject);
        if (passage)
            passage.countsPresentedKey = true;
        return identify(subject, key);
    };
}
/** What follows the scheme: `Bearer k` and `bearer  k` are one key. */
function credentials(name, value) {
    if (name !== 'authorization' || value === undefined)
        return value;
    const [, key = value] = /^\s*\S+\s+(.+)$/.exec(value) ?? [];
    return key.trim();
}
function field(subject, name) {
    if (name === undefined)
        return undefined;
    // Express parses the query whenever somebody looks at it.
    const { query } = subject;
    if (typeof query !== 'object' || query === null || !Object.hasOwn(query, name))
        return undefined;
    return query[name];
}
//# sourceMappingURL=api-key.js.map