/** Shell commands to try at a host and port. */
export function greeting(place: string): string {
  const codes = `curl -s -o /dev/null -w '%{http_code} '`;
  const json = `-H 'content-type: application/json'`;
  return `\
One of 100 requests a minute, with its headers:
  curl -i ${place}/public; echo

A search takes 5 of these 100. The last of 21 are denied, with a Retry-After:
  for i in $(seq 21); do ${codes} '${place}/search?q=tea'; done; echo
  curl -i '${place}/search?q=tea'; echo

Guesses at a password: 5 for each account, then 429:
  for i in 1 2 3 4 5 6 7; do ${codes} ${place}/login ${json} -d '{"user":"ada","password":"guess"}'; done; echo

The right password gives a token, and 10 requests a minute with it:
  curl -i ${place}/me -H "authorization: Bearer $(curl -s ${place}/login ${json} \\
    -d '{"user":"grace","password":"hopper"}' | sed 's/.*:"\\(.*\\)".*/\\1/')"; echo

Plans: 5 items a minute for free, 100 for pro, none for an unknown key:
  for key in free-key pro-key my-key; do printf '%s ' $key
    for i in 1 2 3 4 5 6 7; do ${codes} -H "x-api-key: $key" ${place}/items; done; echo; done

Six reports at once: one a second, three wait, two are denied:
  (for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code} after %{time_total} s\\n' ${place}/report & done; wait)

No limit at all:
  curl -i ${place}/health; echo
`;
}

/** The text that an example prints when it has started. */
export function welcome(port: number, redisUrl: string | undefined): string {
  const place = `localhost:${port}`;
  const where = redisUrl
    ? `Redis.
During an outage each process limits alone and refuses logins: stop Redis, and try.`
    : `memory.
Start two with one REDIS_URL and different PORTs, and both share these limits.`;
  return `Listening on http://${place}, counting in ${where}\n\n${greeting(place)}\nStop it with Ctrl-C.`;
}
