-- Deletes keys. KEYS: the keys. Returns nothing.
redis.call('UNLINK', unpack(KEYS))
