-- KEYS  1  a list of recorded texts. Returns them, newest first.
return redis.call('LRANGE', KEYS[1], 0, -1)
