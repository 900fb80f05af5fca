/** A text of its own, to be kept: one that was cut from another holds on to all of it, such as a token to its header. */
export function unshared(text) {
    const own = Buffer.from(text).toString();
    // UTF-8 has no halves of surrogate pairs.
    return own === text ? own : Buffer.from(text, 'utf16le').toString('utf16le');
}
//# sourceMappingURL=unshared.js.map