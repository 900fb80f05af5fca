/** A proxy adds one of these: behind it every client has the address of the proxy. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;
/** @returns false for a request that may not see the dashboard, and a name if one is known */
export async function accessOf(request, authorize) {
    if (authorize === undefined)
        return isLocal(request);
    if (authorize === true)
        return true;
    const access = await authorize(request);
    return access === true || (typeof access === 'string' && access !== '') ? access : false;
}
function isLocal({ socket, headers }) {
    return LOOPBACK.test(socket.remoteAddress ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}
/**
 * True for a request of the dashboard's own page, or of a program: a page of another site could send one with the cookies
 * of its visitor.
 */
export function isSameOrigin({ headers }) {
    const { 'sec-fetch-site': site, origin, host } = headers;
    if (site !== undefined)
        return site === 'same-origin';
    return origin === undefined || hostOf(origin) === host;
}
function hostOf(origin) {
    return URL.canParse(origin) ? new URL(origin).host : undefined;
}
