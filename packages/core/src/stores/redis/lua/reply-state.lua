-- Replies with the time and the state found, where the fast path for a lone unit applies.
if state then return { now_us, state } end
