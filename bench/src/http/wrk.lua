-- Requests of a thousand clients in turns, and one line in the end: answered, refused, microseconds, p50, p99.
local requests = {}
local at = 0
local begun = false

function init()
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
  at = at % 1000 + 1
  return requests[at]
end

function done(summary, latency)
  io.write(string.format('RESULT %d %d %d %f %f\n', summary.requests, summary.errors.status, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
