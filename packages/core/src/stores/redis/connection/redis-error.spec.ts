import { toStoreError } from './redis-error.js';

describe('what a client reports', () => {
  it('keeps its name, its message and its code, and not its command', () => {
    const reported = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), {
      code: 'ECONNREFUSED',
      command: { name: 'auth', args: ['hunter2'] },
    });

    const { code, cause } = toStoreError(reported);

    expect(code).toBe('STORE_UNAVAILABLE');
    expect(cause).toMatchObject({ name: 'Error', message: reported.message, code: 'ECONNREFUSED' });
    expect(cause).not.toHaveProperty('command');
  });

  it('has no code where it had none', () => {
    expect(toStoreError(new Error('OOM')).cause).not.toHaveProperty('code');
  });

  it('keeps arguments that a server quotes out of both messages', () => {
    const error = toStoreError(new Error("ERR unknown command 'EVALSHA', with args beginning with: 'rl:a'"));

    expect(error.message).toBe("Redis could not answer: ERR unknown command 'EVALSHA'");
    expect(error.cause).toMatchObject({ message: "ERR unknown command 'EVALSHA'" });
  });

  it('keeps the command out of what has caused it as well', () => {
    const inner = Object.assign(new Error('NOAUTH'), { command: { name: 'auth', args: ['hunter2'] } });

    const { cause } = toStoreError(new Error('the wrapper failed', { cause: inner }));

    expect((cause as Error).cause).toMatchObject({ message: 'NOAUTH' });
    expect((cause as Error).cause).not.toHaveProperty('command');
  });
});
