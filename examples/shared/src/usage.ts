/** Shell commands to try, for a host and port. */
export function usage(place: string): string {
  const codes = `curl -s -o /dev/null -w '%{http_code} '`;
  const json = `-H 'content-type: application/json'`;
  return `\
One of 100 requests a minute, with headers:
  curl -i ${place}/public; echo

A search costs 5 of the 100. The last of 21 are denied, with a time to wait:
  for i in $(seq 21); do ${codes} '${place}/search?q=tea'; done; echo
  curl -i '${place}/search?q=tea'; echo

Password guesses: 6 for an account, and then each one waits longer:
  for i in 1 2 3 4 5 6 7; do ${codes} ${place}/login ${json} -d '{"user":"ada","password":"guess"}'; done; echo

A login with the password returns a token for 10 requests a minute:
  curl -i ${place}/me -H "authorization: Bearer $(curl -s ${place}/login ${json} \\
    -d '{"user":"grace","password":"hopper"}' | sed 's/.*:"\\(.*\\)".*/\\1/')"; echo

Plans: 5 items a minute for the free key, 100 for the pro key, none for an unknown key:
  for key in free-key pro-key my-key; do printf '%s ' $key
    for i in 1 2 3 4 5 6 7; do ${codes} -H "x-api-key: $key" ${place}/items; done; echo; done

Six reports at once: one a second, three wait in a queue, two are denied:
  (for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code} after %{time_total} s\\n' ${place}/report & done; wait)

No limit:
  curl -i ${place}/health; echo
`;
}

/** The text that an example prints when it has started. */
export function startMessage(port: number, redisUrl: string | undefined): string {
  const place = `localhost:${port}`;
  const where = redisUrl
    ? `Redis.
Stop Redis to try an outage: each process then limits alone and denies logins.`
    : `memory.
To share these limits between processes, start two with the same REDIS_URL and different PORTs.`;
  return `Listening on http://${place}, counting in ${where}\n\n${usage(place)}\nStop it with Ctrl-C.`;
}

/** The text that an example with a dashboard prints before. @param token undefined in production */
export function dashboardMessage(port: number, token: string | undefined): string {
  const page = `http://localhost:${port}/sluice/`;
  return token ? `The live page of the limits: ${page}?token=${token}` : `The live page on ${page} needs authorize.`;
}
