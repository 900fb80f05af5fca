-- Requests of a thousand clients in turns, and one line in the end: answered, refused, microseconds, p50, p99.
-- With a number after the URL, a line tells when so many requests were sent, and no more are.
local requests = {}
local at = 0
local begun = false
local left = -1

function init(args)
  left = tonumber(args[1]) or -1
  for client = 1, 1000 do
    requests[client] = wrk.format('GET', '/', { ['x-client'] = 'client-' .. client })
  end
end

function request()
  if not begun then
    begun = true
    io.write('BEGUN\n')
    io.flush()
  end
  if left == 0 then
    io.write('SENT\n')
    io.flush()
    wrk.thread:stop()
  end
  left = left - 1
  at = at % 1000 + 1
  return requests[at]
end

function done(summary, latency)
  io.write(string.format('RESULT %d %d %d %f %f\n', summary.requests, summary.errors.status, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
