-- The paths below are not even defined when they are not needed.
if is_complete then return reply_of(fast_reply) end
