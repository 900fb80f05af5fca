/** For tests that are not about deadlines: how busy the machine is must not decide them. */
export const patient = { deadline: '10s' } as const;
