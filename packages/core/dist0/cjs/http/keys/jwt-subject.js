"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.byJwtSubject = byJwtSubject;
const proceed_js_1 = require("../../model/proceed.js");
const warning_js_1 = require("../../events/warning.js");
const by_js_1 = require("./by.js");
const identity_options_js_1 = require("./identity-options.js");
/**
 * Identifies by issuer and subject of a JSON Web Token that something before it has verified. Never reads a token: who
 * could have its `sub` believed unverified had any number of budgets, and those of others. Kind `jwt-subject`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
function byJwtSubject(options = {}) {
    const reader = (0, identity_options_js_1.readIdentityOptions)('byJwtSubject', options, ['from', 'otherwise']);
    const from = reader.function('from', options.from);
    const otherwise = (0, by_js_1.otherwiseOf)(reader, options);
    if (from)
        return (subject) => (0, proceed_js_1.proceed)(from(subject), (verified) => identityOf(verified) ?? otherwise(subject));
    return (subject) => {
        const { auth, user } = subject;
        const identity = identityOf(auth) ?? identityOf(user);
        if (identity === undefined && (isObject(auth) || isObject(user)))
            warnOfOtherUsers();
        return identity ?? otherwise(subject);
    };
}
/** Some leave the claims, others the whole token, header and signature beside its payload. */
function identityOf(verified) {
    return identityIn(verified) ?? identityIn(member(verified, 'payload'));
}
function identityIn(claims) {
    const subject = (0, by_js_1.textOf)(member(claims, 'sub'));
    const issuer = issuerIn(claims);
    // Two issuers may have a subject of one name.
    return subject === undefined || issuer === undefined ? undefined : { kind: 'jwt-subject', parts: [issuer, subject] };
}
/** A token need not say who has issued it. One that says it in no text identifies nobody. */
function issuerIn(claims) {
    const issuer = member(claims, 'iss') ?? '';
    return issuer === '' ? issuer : (0, by_js_1.textOf)(issuer);
}
function member(object, name) {
    return isObject(object) ? object[name] : undefined;
}
function isObject(value) {
    return typeof value === 'object' && value !== null;
}
function warnOfOtherUsers() {
    (0, warning_js_1.warn)('SLUICE_JWT_WITHOUT_SUBJECT', "byJwtSubject: a caller was authenticated, and neither auth nor user of the request has the claim sub, so that otherwise is asked: give the claims by from, or use by('user', ...)");
}
//# sourceMappingURL=jwt-subject.js.map