-- Microseconds of the server's clock, read once a call: on Redis 7.0 two readings in one script differ.
local time = call('TIME')
local now_us = time[1] * 1000000 + time[2]
