-- Reads the texts recorded with a key. KEYS: the key of their list. Returns them, newest first.
return redis.call('LRANGE', KEYS[1], 0, -1)
