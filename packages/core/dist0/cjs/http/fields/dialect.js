"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.dialects = void 0;
const duration_js_1 = require("../../model/duration.js");
/**
 * `draft-*` are versions of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/. Reset is a moment,
 * in seconds since 1970, in `x-ratelimit`, as GitHub and most public APIs have it, and a time to wait in the drafts.
 */
exports.dialects = {
    'x-ratelimit': {
        fields: (standing, now) => [
            ['X-RateLimit-Limit', String(standing.binding.limit)],
            ['X-RateLimit-Remaining', String(standing.remaining)],
            ['X-RateLimit-Reset', String((0, duration_js_1.toSeconds)(now + standing.resetAfter))],
        ],
    },
    'draft-11': {
        fields: (standing) => [
            ['RateLimit-Policy', standing.quotas().map(quotaMember).join(', ')],
            ['RateLimit', standing.shares().map(shareMember).join(', ')],
        ],
    },
    'draft-7': {
        fields: ({ quota, binding, remaining, resetAfter }) => [
            ['RateLimit-Policy', `${quota.units};w=${quota.window}`],
            ['RateLimit', `limit=${binding.limit}, remaining=${remaining}, reset=${(0, duration_js_1.toSeconds)(resetAfter)}`],
        ],
    },
    'draft-6': {
        fields: ({ quota, binding, remaining, resetAfter }) => [
            ['RateLimit-Policy', `${quota.units};w=${quota.window}`],
            ['RateLimit-Limit', String(binding.limit)],
            ['RateLimit-Remaining', String(remaining)],
            ['RateLimit-Reset', String((0, duration_js_1.toSeconds)(resetAfter))],
        ],
    },
};
function quotaMember({ name, units, window }) {
    return `"${name}";q=${units};w=${window}`;
}
function shareMember({ quota, remaining, time }) {
    return `"${quota.name}";r=${remaining}${time === undefined ? '' : `;t=${time}`}`;
}
//# sourceMappingURL=dialect.js.map