/** What to try, as commands for a shell, at a host and port. */
export function greeting(place: string): string {
  const codes = `curl -s -o /dev/null -w '%{http_code} '`;
  const json = `-H 'content-type: application/json'`;
  return `\
One of 100 requests a minute, and the headers that say so:
  curl -i ${place}/public; echo

A search takes 5 of these 100. Of 21 the last are denied, and told when to come back:
  for i in $(seq 21); do ${codes} '${place}/search?q=tea'; done; echo
  curl -i '${place}/search?q=tea'; echo

Guesses at a password: 5 for an account, and then none for a while:
  for i in 1 2 3 4 5 6 7; do ${codes} ${place}/login ${json} -d '{"user":"ada","password":"guess"}'; done; echo

Who knows the password is given a token, and with it 10 requests a minute:
  curl -i ${place}/me -H "authorization: Bearer $(curl -s ${place}/login ${json} \\
    -d '{"user":"grace","password":"hopper"}' | sed 's/.*:"\\(.*\\)".*/\\1/')"; echo

Plans: the free one has 5 items a minute, the pro one 100, and an unknown key has none:
  for key in free-key pro-key my-key; do printf '%s ' $key
    for i in 1 2 3 4 5 6 7; do ${codes} -H "x-api-key: $key" ${place}/items; done; echo; done

Six reports at once: one a second, while three wait for their turn, and no place for two:
  (for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code} after %{time_total} s\\n' ${place}/report & done; wait)

No limit at all:
  curl -i ${place}/health; echo
`;
}

/** What an example says when it has started. */
export function welcome(port: number, redisUrl: string | undefined): string {
  const place = `localhost:${port}`;
  const where = redisUrl
    ? `Redis.
Without it each process limits on its own, and lets nobody log in: stop it, and try.`
    : `memory.
Start it twice, with one REDIS_URL and another PORT, and both processes share these limits.`;
  return `Listening on http://${place}, counting in ${where}\n\n${greeting(place)}\nStop it with Ctrl-C.`;
}
