"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.problemBody = problemBody;
exports.ownBody = ownBody;
const negotiator_1 = __importDefault(require("negotiator"));
const PROBLEM = 'application/problem+json';
/** Nobody's preferences are longer, and reading what a client makes longer is work that it can order. */
const LONGEST = 512;
/** In our order of preference, with the charset that they have, for some clients ask for it. */
const OFFERED = [PROBLEM, 'application/json', 'text/plain'].map((type) => `${type}; charset=utf-8`);
/** A problem as JSON, or as text for clients that accept only that. */
function problemBody(problem, accept) {
    const contentType = accepted(accept);
    const text = contentType === 'text/plain' ? `${problem.title}. ${problem.detail}\n` : problemText(problem);
    return { contentType, text };
}
const texts = new WeakMap();
/** As JSON: to serialise a problem takes as long as to decide, and most come again. */
function problemText(problem) {
    const known = texts.get(problem);
    if (known !== undefined)
        return known;
    const text = JSON.stringify(problem);
    texts.set(problem, text);
    return text;
}
/** A body that the application has chosen: text as text, anything else as JSON. */
function ownBody(value) {
    if (value === undefined)
        return { contentType: 'text/plain', text: '' };
    if (typeof value === 'string')
        return { contentType: 'text/plain', text: value };
    const { type, status } = Object(value);
    const isProblem = typeof type === 'string' && typeof status === 'number';
    return { contentType: isProblem ? PROBLEM : 'application/json', text: JSON.stringify(value) ?? '' };
}
function accepted(accept) {
    // Nearly all clients accept anything.
    if (accept === undefined || accept === '*/*' || accept.length > LONGEST)
        return PROBLEM;
    const takes = new negotiator_1.default({ headers: { accept } }).mediaTypes(OFFERED);
    const [type = PROBLEM] = (OFFERED.find((each) => takes.includes(each)) ?? PROBLEM).split(';', 1);
    return type;
}
//# sourceMappingURL=body.js.map