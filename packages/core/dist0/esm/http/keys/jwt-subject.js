import { proceed } from '../../model/proceed.js';
import { warn } from '../../events/warning.js';
import { otherwiseOf, textOf } from './by.js';
import { readIdentityOptions } from './identity-options.js';
/**
 * Identifies by issuer and subject of a JSON Web Token that something before it has verified. Never reads a token: who
 * could have its `sub` believed unverified had any number of budgets, and those of others. Kind `jwt-subject`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function byJwtSubject(options = {}) {
    const reader = readIdentityOptions('byJwtSubject', options, ['from', 'otherwise']);
    const from = reader.function('from', options.from);
    const otherwise = otherwiseOf(reader, options);
    if (from)
        return (subject) => proceed(from(subject), (verified) => identityOf(verified) ?? otherwise(subject));
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
    const subject = textOf(member(claims, 'sub'));
    const issuer = issuerIn(claims);
    // Two issuers may have a subject of one name.
    return subject === undefined || issuer === undefined ? undefined : { kind: 'jwt-subject', parts: [issuer, subject] };
}
/** A token need not say who has issued it. One that says it in no text identifies nobody. */
function issuerIn(claims) {
    const issuer = member(claims, 'iss') ?? '';
    return issuer === '' ? issuer : textOf(issuer);
}
function member(object, name) {
    return isObject(object) ? object[name] : undefined;
}
function isObject(value) {
    return typeof value === 'object' && value !== null;
}
function warnOfOtherUsers() {
    warn('SLUICE_JWT_WITHOUT_SUBJECT', "byJwtSubject: a caller was authenticated, and neither auth nor user of the request has the claim sub, so that otherwise is asked: give the claims by from, or use by('user', ...)");
}
//# sourceMappingURL=jwt-subject.js.map