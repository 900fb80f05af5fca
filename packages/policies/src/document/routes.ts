/** Requests of one method, or of any, whose path fits: `POST /login`, `/api/*`. */
export interface Route {
  readonly text: string;
  takes(request: RoutedRequest): boolean;
}

/** What a route looks at. */
export interface RoutedRequest {
  readonly method: string;
  /** A path, with or without a query, or a whole URL, as some logs have it. */
  readonly url: string;
}

/** For messages: what a text of a route is. */
export const ROUTE_RULE = "a path such as '/api/*', or a method and a path such as 'POST /login'";

/** Two stars in a segment would make the time of a match depend on the path of a client. */
const SEGMENT = String.raw`/[!"$-)+-.0->@-~]*(?:\*[!"$-)+-.0->@-~]*)?`;
/** The form of a route, also for the JSON Schema. */
export const ROUTE_PATTERN = `^(?:([A-Z]{1,20}) )?((?:${SEGMENT})+)$`;
const ROUTE = new RegExp(ROUTE_PATTERN);

/**
 * The route of a text. `*` at the end stands for the rest of the path, and for none; elsewhere it stands for some characters
 * of one segment. A slash at the end of a path means nothing, and GET takes HEAD, as in every framework.
 *
 * @returns undefined for a text of another form: ROUTE_RULE
 * @example readRoute('POST /login')?.takes({ method: 'POST', url: '/login?next=/' }); // true
 */
export function readRoute(text: string): Route | undefined {
  const [, method, path] = ROUTE.exec(text) ?? [];
  if (path === undefined) return undefined;
  const fits = patternOf(path);
  return {
    text,
    takes: (request) => {
      if (method !== undefined && method !== request.method && !(method === 'GET' && request.method === 'HEAD')) {
        return false;
      }
      return fits.test(pathOf(request.url));
    },
  };
}

function patternOf(path: string): RegExp {
  const rest = path.endsWith('/*') ? '(?:/.*)?' : path.endsWith('*') ? '.*' : '/?';
  const literal = path.replace(/\/?\*$|\/$/, '');
  const parts = literal.split('*').map((part) => part.replace(/[$()+.[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]+')}${rest}$`, 's');
}

/** `https://host:443/login?next=/` as `/login`. */
function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}
