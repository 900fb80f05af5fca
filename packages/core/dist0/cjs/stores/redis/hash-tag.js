"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.hashTag = hashTag;
/** What of a key a Cluster derives its slot from: what stands between the first braces, else all of it. */
function hashTag(key) {
    const open = key.indexOf('{');
    const close = key.indexOf('}', open + 1);
    return open < 0 || close <= open + 1 ? key : key.slice(open + 1, close);
}
//# sourceMappingURL=hash-tag.js.map