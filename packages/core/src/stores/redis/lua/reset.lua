-- KEYS  keys to forget. Returns nothing.
redis.call('UNLINK', unpack(KEYS))
