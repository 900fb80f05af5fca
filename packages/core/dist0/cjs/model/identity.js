"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.identityText = identityText;
exports.isKey = isKey;
/** Text that is the same only for equal identities: every part is preceded by its length. */
function identityText(key) {
    if (typeof key === 'string')
        return `3:key${key.length}:${key}`;
    let text = `${key.kind.length}:${key.kind}`;
    for (const part of key.parts)
        text += `${part.length}:${part}`;
    return text;
}
/** True for text or an identity with something in it. */
function isKey(value) {
    if (typeof value === 'string')
        return value !== '';
    if (typeof value !== 'object' || value === null)
        return false;
    const { kind, parts } = value;
    return typeof kind === 'string' && kind !== '' && Array.isArray(parts) && parts.length > 0 && parts.every(isText);
}
function isText(value) {
    return typeof value === 'string';
}
//# sourceMappingURL=identity.js.map