-- The same for clients that read bytes.
if state then return struct.pack('<dd', now_us, state) end
