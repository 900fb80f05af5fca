import { headerOf, type HttpRequest, peerOf, proxiesOption, UNIX } from '@sluice/http/internal';
import type { OptionRow } from '@sluice/core/internal';

/** Peers whose header counts. */
export type From = 'unix' | readonly string[];

/** @param whose what the peers are to the user: `proxies` */
export const fromRow = (whose: string) =>
  ({
    is: (from) => from === UNIX || (Array.isArray(from) && from.length > 0),
    words: `addresses and networks of your ${whose}, such as ['10.0.0.0/8'], or 'unix'`,
    required: true,
  }) as const satisfies OptionRow;

/** @param owner the function whose option `from` it is, for messages. @returns whether a request comes from one of the peers. @throws ConfigError */
function isFrom(owner: string, from: From): (request: HttpRequest) => boolean {
  if (from === UNIX) return (request) => peerOf(request) === UNIX;
  const isPeer = proxiesOption(owner, 'from', from);
  return (request) => isPeer(peerOf(request));
}

/** Reads a header that the peers of an option set. Undefined for what anybody else has sent. @throws ConfigError */
export function headerFrom(
  owner: string,
  { header, from }: { readonly header: unknown; readonly from: unknown },
): (request: HttpRequest) => string | undefined {
  const name = (header as string).toLowerCase();
  const isOfPeer = isFrom(owner, from as From);
  return (request) => {
    const text = headerOf(request, name);
    return text !== undefined && isOfPeer(request) ? text : undefined;
  };
}
