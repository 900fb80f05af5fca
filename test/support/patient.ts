/** For tests that are not about deadlines, so that a busy machine does not fail them. */
export const patient = { deadline: '10s' } as const;
