"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.headerOf = headerOf;
exports.isPreflight = isPreflight;
/** The value of a header; of a field that came several times, as Node joins them. */
function headerOf({ headers }, name) {
    const value = headers && Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (Array.isArray(value))
        return value.join(', ');
    return typeof value === 'string' ? value : undefined;
}
/**
 * A browser asks before it sends what it was told to: nothing is asked of the application yet. What has a body asks it
 * for something, whatever else it says.
 */
function isPreflight(request) {
    return (request.method === 'OPTIONS' &&
        headerOf(request, 'origin') !== undefined &&
        headerOf(request, 'access-control-request-method') !== undefined &&
        !hasBody(request));
}
function hasBody(request) {
    return (headerOf(request, 'content-length') ?? '0') !== '0' || headerOf(request, 'transfer-encoding') !== undefined;
}
//# sourceMappingURL=request.js.map