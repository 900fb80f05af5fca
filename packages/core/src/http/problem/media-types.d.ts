declare module 'negotiator/lib/mediaType.js' {
  /** The offered types that an `Accept` header takes, the preferred ones first. */
  export default function preferredMediaTypes(accept: string, offered: readonly string[]): string[];
}
