/**
 * How clients are told their limits. `x-ratelimit`: what GitHub and most public APIs send. `draft-*`: versions of
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/.
 */
export type HeaderFormat = 'x-ratelimit' | 'draft-11' | 'draft-7' | 'draft-6';
